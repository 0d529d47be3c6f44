"""Where the keys live: one server, the master that Sentinels name, or the nodes of a cluster.

redis-py knows how to connect, authenticate and follow; here it is asked for connections, which
the pipes and ears then use by themselves.
"""

import asyncio
import contextlib
from typing import Any, Protocol
from urllib.parse import parse_qsl, unquote, urlsplit

from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.connection import AbstractConnection, ConnectionPool
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.exceptions import MovedError, RedisError

from livebutton.store.contract import StoreUnreachable
from livebutton.store.timeouts import Timeouts, for_commands, for_sentinels

DEFAULT_PORT = 6379
DEFAULT_SENTINEL_PORT = 26379


class Topology(Protocol):
    """The nodes that take writes, by name."""

    is_cluster: bool

    async def open(self) -> None:
        """Find the nodes. Raises StoreUnreachable."""

    async def close(self) -> None:
        """Let go of what it asks the topology with."""

    async def refresh(self) -> bool:
        """Look again, and whether anything moved. Raises StoreUnreachable."""

    def moved(self, error: MovedError) -> None:
        """Take note of a slot that a node says is elsewhere."""

    def node_of(self, key: str) -> str:
        """The node that has the key."""

    def nodes(self) -> list[str]:
        """Every node that takes writes."""

    def dial(self, node: str) -> AbstractConnection:
        """A new connection to the node, not yet connected."""


class Solo:
    """One server, at a URL of redis-py's: `redis://`, `rediss://` or `unix://`."""

    is_cluster = False
    _NODE = "redis"

    def __init__(self, url: str, timeouts: Timeouts) -> None:
        options = for_commands(timeouts)
        self._pool: ConnectionPool = ConnectionPool.from_url(url, **options)
        # A URL's query may add options, but not change these.
        self._pool.connection_kwargs.update(options)

    async def open(self) -> None:
        """Nothing has to be found."""

    async def close(self) -> None:
        """Nothing was kept."""

    async def refresh(self) -> bool:
        """The address is resolved at every connect."""
        return False

    def moved(self, error: MovedError) -> None:
        """A single server moves nothing."""
        raise StoreUnreachable(f"this is a node of a cluster: use redis+cluster:// ({error})")

    def node_of(self, key: str) -> str:  # noqa: ARG002 - the only node has every key
        """The one node."""
        return self._NODE

    def nodes(self) -> list[str]:
        """The one node."""
        return [self._NODE]

    def dial(self, node: str) -> AbstractConnection:  # noqa: ARG002 - there is but one
        """A new connection, not yet connected."""
        connection: AbstractConnection = self._pool.make_connection()  # type: ignore[no-untyped-call]
        return connection


class _Sentinels(Sentinel):
    """redis-py's, asked by one at a time.

    It moves the Sentinel that answered to the front of its list; two that do so at once may
    lose one from the list for good.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)  # type: ignore[no-untyped-call]
        self._asking = asyncio.Lock()

    async def discover_master(self, service_name: str) -> tuple[str, int]:
        """The address of the service's master. Raises MasterNotFoundError."""
        async with self._asking:
            host, port = await super().discover_master(service_name)
            return str(host), int(port)


class Guarded:
    """The master that Sentinels name: `redis+sentinel://[user:password@]H1[:P],H2/NAME[/DB]`.

    Of the query, `sentinel_username` and `sentinel_password` are for the Sentinels, the rest is
    redis-py's.
    """

    is_cluster = False
    _NODE = "master"

    def __init__(self, url: str, timeouts: Timeouts) -> None:
        parts = urlsplit(url)
        options: dict[str, Any] = dict(parse_qsl(parts.query))
        sentinel_options = {
            name.removeprefix("sentinel_"): options.pop(name)
            for name in ("sentinel_username", "sentinel_password")
            if name in options
        }
        path = [unquote(part) for part in parts.path.split("/") if part]
        if not path:
            raise ValueError("the URL names no service: redis+sentinel://host,host/NAME")
        if len(path) > 1:
            options["db"] = int(path[1])
        if parts.scheme.startswith("rediss"):
            options["ssl"] = True
        credentials, hosts = _hosts(parts.netloc, DEFAULT_SENTINEL_PORT)
        self._service = path[0]
        self._sentinel = _Sentinels(
            hosts, sentinel_kwargs={**for_sentinels(timeouts), **sentinel_options}
        )
        self._pool = SentinelConnectionPool(  # type: ignore[no-untyped-call]
            self._service, self._sentinel, **{**credentials, **options, **for_commands(timeouts)}
        )
        self._address: tuple[str, int] | None = None

    async def open(self) -> None:
        """Ask the Sentinels for the master."""
        await self.refresh()

    async def close(self) -> None:
        """Let go of the Sentinels."""
        with contextlib.suppress(RedisError):
            await self._sentinel.aclose()

    async def refresh(self) -> bool:
        """Ask the Sentinels again, and whether they name another master."""
        try:
            address = await self._sentinel.discover_master(self._service)
        except RedisError as error:
            raise StoreUnreachable(str(error)) from error
        before, self._address = self._address, address
        return before not in (None, address)

    def moved(self, error: MovedError) -> None:
        """A guarded master moves nothing."""
        raise StoreUnreachable(f"this is a node of a cluster: use redis+cluster:// ({error})")

    def node_of(self, key: str) -> str:  # noqa: ARG002 - the master has every key
        """The master."""
        return self._NODE

    def nodes(self) -> list[str]:
        """The master."""
        return [self._NODE]

    def dial(self, node: str) -> AbstractConnection:  # noqa: ARG002 - there is but one
        """A new connection, which asks the Sentinels for the master when it connects."""
        connection: AbstractConnection = self._pool.make_connection()  # type: ignore[no-untyped-call]
        return connection


class Sharded:
    """A cluster: `redis+cluster://[user:password@]H1[:P],H2,…`."""

    is_cluster = True

    def __init__(self, url: str, timeouts: Timeouts) -> None:
        parts = urlsplit(url)
        credentials, hosts = _hosts(parts.netloc, DEFAULT_PORT)
        options: dict[str, Any] = {
            **credentials,
            **dict(parse_qsl(parts.query)),
            **for_commands(timeouts),
        }
        self._cluster: RedisCluster = RedisCluster(
            startup_nodes=[ClusterNode(host, port) for host, port in hosts],
            ssl=parts.scheme.startswith("rediss"),
            **options,
        )
        self._manager = self._cluster.nodes_manager
        self._looking = asyncio.Lock()

    async def open(self) -> None:
        """Ask the nodes for the slots."""
        await self.refresh()

    async def close(self) -> None:
        """Let go of the connections that asked for the slots."""
        with contextlib.suppress(RedisError):
            await self._manager.aclose()
            await self._manager.aclose("startup_nodes")

    async def refresh(self) -> bool:
        """Ask the nodes for the slots again, and whether any has another owner."""
        async with self._looking:
            before = self._owners()
            try:
                await self._manager.initialize()
            except (RedisError, OSError) as error:
                raise StoreUnreachable(str(error)) from error
            return before != self._owners()

    def moved(self, error: MovedError) -> None:
        """Look this slot up at its new owner from now on."""
        owner = self._manager.get_node(host=error.host, port=error.port)
        if owner is not None:
            self._manager.slots_cache[error.slot_id] = [owner]

    def node_of(self, key: str) -> str:
        """The node that has the key's slot."""
        try:
            node = self._manager.get_node_from_slot(self._cluster.keyslot(key))
        except RedisError as error:
            raise StoreUnreachable(str(error)) from error
        return str(node.name)

    def nodes(self) -> list[str]:
        """The nodes that have slots and take writes."""
        return sorted({name for _, name in self._owners()})

    def dial(self, node: str) -> AbstractConnection:
        """A new connection to the node, not yet connected."""
        found = self._manager.get_node(node_name=node)
        if found is None:
            raise StoreUnreachable(f"{node} has left the cluster")
        connection: AbstractConnection = found.connection_class(**found.connection_kwargs)
        return connection

    def _owners(self) -> set[tuple[int, str]]:
        """Where runs of slots with one owner begin, and who that is."""
        owners: set[tuple[int, str]] = set()
        previous = ""
        for slot in sorted(self._manager.slots_cache):
            name = self._manager.slots_cache[slot][0].name
            if name != previous:
                owners.add((slot, name))
                previous = name
        return owners


def topology_of(url: str, timeouts: Timeouts) -> Topology:
    """The topology that a URL's scheme names. Raises ValueError for one that names none."""
    scheme = urlsplit(url).scheme
    match scheme:
        case "redis" | "rediss" | "unix":
            return Solo(url, timeouts)
        case "redis+sentinel" | "rediss+sentinel":
            return Guarded(url, timeouts)
        case "redis+cluster" | "rediss+cluster":
            return Sharded(url, timeouts)
        case _:
            raise ValueError(
                f"no store speaks {scheme or url!r}: use redis://, rediss://, unix://, "
                "redis+sentinel://HOST,HOST/NAME or redis+cluster://HOST,HOST"
            )


def _hosts(netloc: str, default_port: int) -> tuple[dict[str, str], list[tuple[str, int]]]:
    """The credentials in a URL's middle part, and its hosts."""
    userinfo, _, hosts = netloc.rpartition("@")
    username, _, password = userinfo.partition(":")
    credentials = {"username": unquote(username), "password": unquote(password)}
    found = []
    for host in hosts.split(","):
        parts = urlsplit(f"//{host}")
        if not parts.hostname:
            raise ValueError("the URL names no host")
        found.append((parts.hostname, parts.port or default_port))
    return {name: value for name, value in credentials.items() if value}, found

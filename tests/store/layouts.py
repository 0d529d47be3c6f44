"""Real servers in the three layouts: standalone, guarded by a Sentinel, a cluster of masters."""

from pathlib import Path

from tests.servers import DURABLE, LOOPBACK, ValkeyProcess, ask, wait_until

MASTER = "lb"
SLOTS = 16_384


def standalone(folder: Path, *options: str) -> ValkeyProcess:
    """One durable server, running."""
    valkey = ValkeyProcess(folder, *LOOPBACK, *DURABLE, *options)
    valkey.start()
    return valkey


class Guarded:
    """A master, a replica, and three Sentinels, which take a silent master for dead in a while.

    `down_after_ms`: short, and they fail over soon, but also when the machine is busy elsewhere.
    """

    def __init__(self, folder: Path, *, down_after_ms: int = 120_000) -> None:
        sentinels = 3
        self.servers = [standalone(folder / "one")]
        first = self.servers[0]
        replica = ("--replicaof", "127.0.0.1", str(first.port), "--repl-diskless-sync-delay", "0")
        self.servers.append(standalone(folder / "two", *replica))
        self.sentinels = []
        for number in range(sentinels):
            conf = folder / f"sentinel-{number}" / "sentinel.conf"
            conf.parent.mkdir(parents=True)
            conf.write_text(
                f"sentinel monitor {MASTER} 127.0.0.1 {first.port} {sentinels // 2 + 1}\n"
                f"sentinel down-after-milliseconds {MASTER} {down_after_ms}\n"
                f"sentinel failover-timeout {MASTER} 2000\n"
            )
            sentinel = ValkeyProcess(conf.parent, str(conf), "--sentinel", "--bind", "127.0.0.1")
            sentinel.start()
            self.sentinels.append(sentinel)
        wait_until(self._is_guarded, "the Sentinels know the replica and each other")

    @property
    def url(self) -> str:
        hosts = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in self.sentinels)
        return f"redis+sentinel://{hosts}/{MASTER}"

    def master(self) -> ValkeyProcess:
        """The server that the Sentinels name."""
        reply = ask(self.sentinels[0].port, f"SENTINEL GET-MASTER-ADDR-BY-NAME {MASTER}")
        return next(server for server in self.servers if str(server.port) in reply.split())

    def kill(self) -> None:
        for server in [*self.sentinels, *self.servers]:
            server.kill()

    def _is_guarded(self) -> bool:
        others = len(self.sentinels) - 1
        states = [ask(sentinel.port, f"SENTINEL MASTER {MASTER}") for sentinel in self.sentinels]
        replicated = "master_link_status:up" in ask(self.servers[1].port, "INFO replication")
        return replicated and all(
            f"num-slaves\r\n$1\r\n1\r\n$19\r\nnum-other-sentinels\r\n$1\r\n{others}\r\n" in state
            for state in states
        )


class Cluster:
    """Three masters that share the slots, and a replica of each when asked for.

    With replicas a silent master is soon replaced; without, nobody need be taken for dead.
    """

    def __init__(self, folder: Path, *, replicas: bool = False) -> None:
        timeout_ms = "2000" if replicas else "60000"
        options = ("--cluster-enabled", "yes", "--cluster-node-timeout", timeout_ms)
        count = 6 if replicas else 3
        self.servers = [standalone(folder / f"node-{n}", *options) for n in range(count)]
        masters = self.servers[:3]
        for server in self.servers[1:]:
            assert ask(server.port, f"CLUSTER MEET 127.0.0.1 {masters[0].port}").startswith("+OK")
        for number, server in enumerate(masters):
            first, last = SLOTS * number // 3, SLOTS * (number + 1) // 3 - 1
            assert ask(server.port, f"CLUSTER ADDSLOTSRANGE {first} {last}").startswith("+OK")
        for master, replica in zip(masters, self.servers[3:], strict=False):
            name = ask(master.port, "CLUSTER MYID").split("\r\n")[1]
            wait_until(
                lambda replica=replica, name=name: ask(  # type: ignore[misc]
                    replica.port, f"CLUSTER REPLICATE {name}"
                ).startswith("+OK"),
                "a replica knows its master",
            )
        wait_until(self._is_whole, "every node of the cluster sees all of it")

    @property
    def url(self) -> str:
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in self.servers)
        return f"redis+cluster://{hosts}"

    def kill(self) -> None:
        """End every node."""
        for server in self.servers:
            server.kill()

    def flush(self) -> None:
        for server in self.servers[:3]:
            assert ask(server.port, "FLUSHALL").startswith("+OK")

    def _is_whole(self) -> bool:
        infos = [ask(server.port, "CLUSTER INFO") for server in self.servers]
        known = f"cluster_known_nodes:{len(self.servers)}\r\n"
        replicating = [ask(server.port, "INFO replication") for server in self.servers[3:]]
        return all("cluster_state:ok" in info and known in info for info in infos) and all(
            "master_link_status:up" in info for info in replicating
        )

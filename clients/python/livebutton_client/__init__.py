"""The Python SDK of livebutton: follow tables, give commands, and let it mind the connection."""

from livebutton_client.connection import Connection
from livebutton_client.copy_of_table import Change, Freshness
from livebutton_client.errors import (
    Closed,
    LivebuttonError,
    NotConnected,
    NoVerdict,
    Overloaded,
    ProtocolBroken,
    Refused,
    Revoked,
    Stopped,
    SubscriptionRefused,
    Unauthorized,
)
from livebutton_client.following import FollowedRoom, FollowedTable
from livebutton_client.messages import Accepted, Previewed, RoomPicture, Verdict
from livebutton_client.position import StreamPosition

__all__ = [
    "Accepted",
    "Change",
    "Closed",
    "Connection",
    "FollowedRoom",
    "FollowedTable",
    "Freshness",
    "LivebuttonError",
    "NoVerdict",
    "NotConnected",
    "Overloaded",
    "Previewed",
    "ProtocolBroken",
    "Refused",
    "Revoked",
    "RoomPicture",
    "Stopped",
    "StreamPosition",
    "SubscriptionRefused",
    "Unauthorized",
    "Verdict",
]

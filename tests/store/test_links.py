"""What names a commit and all before it, and what was written before there were such names."""

import msgspec

from livebutton.store.records import (
    Entry,
    Mark,
    StreamPosition,
    has_parted,
    pack,
    unpack_entry,
)
from tests.store.drafts import OPEN, Scribe, sit


def entry(follows: bytes = b"", command_id: str = "c2") -> Entry:
    scribe = Scribe()
    scribe.draft("c1", OPEN)
    written = scribe.draft(command_id, sit(3)).entry
    assert written is not None
    return msgspec.structs.replace(written, follows=follows)


def test_the_same_command_after_another_past_has_another_link() -> None:
    one, other = entry(b"one past"), entry(b"another!")
    assert one.position == other.position
    assert one.link != other.link
    assert one.link == entry(b"one past").link
    assert one.link != entry(b"one past", "c3").link


def test_an_entry_written_without_a_predecessor_still_reads() -> None:
    now = msgspec.msgpack.decode(pack(entry(b"the past")))
    assert unpack_entry(msgspec.msgpack.encode(now)) == entry(b"the past")
    assert unpack_entry(msgspec.msgpack.encode(now[:-1])) == entry()


def test_marks_agree_unless_it_is_known_that_they_do_not() -> None:
    at = StreamPosition("e1", 2)
    mark = Mark(at, "c2", b"one past")
    assert mark.agrees_with(Mark(at, "c2", b"one past"))
    assert mark.agrees_with(Mark(at, "c2"))
    assert Mark(at, "c2").agrees_with(mark)
    assert not mark.agrees_with(Mark(at, "c2", b"another!"))
    assert not mark.agrees_with(Mark(at, "c3", b"one past"))
    assert not mark.agrees_with(Mark(StreamPosition("e1", 3), "c2", b"one past"))
    assert not mark.agrees_with(None)
    assert not has_parted(b"", b"one past")

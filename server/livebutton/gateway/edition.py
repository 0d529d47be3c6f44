"""Which making of views this program is.

A delta is a patch to the view before it, as its own server made that. Another version may make
another view of the same table, so a client that comes from it must not go on from there. It
knows by the name of its session, whose first part is this.
"""

import functools
import hashlib
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]
# All that has a say in what a view holds and how it is written.
_MAKERS = ("rules", "views.py", "gateway", "wire")


@functools.cache
def edition() -> str:
    """The same for the same sources of views, wherever they run; eight hexadecimal digits."""
    digest = hashlib.blake2b(digest_size=4)
    for maker in _MAKERS:
        path = _PACKAGE / maker
        files = [path] if path.is_file() else sorted(path.rglob("*"))
        for file in files:
            if file.suffix in {".py", ".toml"}:
                digest.update(file.relative_to(_PACKAGE).as_posix().encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()

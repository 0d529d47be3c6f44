"""The Lua that runs inside Redis: each script is one step that nothing comes between."""

import hashlib
from importlib.resources import files

import msgspec


class Script(msgspec.Struct, frozen=True):
    """Lua source and the name under which a server that has loaded it knows it."""

    source: str
    sha: str


def _script(source: str) -> Script:
    return Script(source, hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest())


COMMIT = _script((files("livebutton.store") / "commit.lua").read_text("utf-8"))

# KEYS state · ARGV epoch, offset, command id, new epoch, publish command, channel, hint, link
RENEW = _script("""
local at = redis.call('HMGET', KEYS[1], 'epoch', 'offset', 'command', 'link')
if at[1] ~= ARGV[1] or at[2] ~= ARGV[2] or at[3] ~= ARGV[3] then return 0 end
if ARGV[8] ~= '' and at[4] ~= ARGV[8] then return 0 end
redis.call('HSET', KEYS[1], 'epoch', ARGV[4])
redis.call(ARGV[5], ARGV[6], ARGV[7])
return 1
""")

# KEYS canary · ARGV token, how long to keep it (ms), publish command, channel
CANARY = _script("""
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call(ARGV[3], ARGV[4], ARGV[1])
return 1
""")

# KEYS shelf · ARGV name, value, how long to keep it (ms)
PUT = _script("""
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[3]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return 1
""")

# KEYS shelf · ARGV name
TAKE = _script("""
local value = redis.call('HGET', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[1], ARGV[1])
return value
""")

# KEYS lease · ARGV holder, how long it has it (ms)
LEASE = _script("""
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
""")

ALL = (COMMIT, RENEW, CANARY, PUT, TAKE, LEASE)

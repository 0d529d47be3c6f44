-- One commit, or one refusal, in one step: compare, append, checkpoint, remember, publish.
--
-- KEYS  1 state (hash)  2 events (stream)  3 verdicts (hash)  4 ages of the verdicts (sorted set)
-- ARGV  1 epoch and 2 offset it was decided from ('' and '0': no table), 8 the link of the
--       commit there, after its offset and a colon ('': not known)
--       3 command id   4 its verdict, after the digest of the command's body
--       5 bytes of that digest   6 now (ms)   7 how long a verdict is kept (ms)
--   and with a commit
--       9 epoch after it   10 offset after it   11 entry   12 checkpoint ('': none is due)
--       13 PUBLISH or SPUBLISH   14 channel   15 head of the hint   16 '1': the entry follows it
--       17 its link, after its offset and a colon   18 tail of the hint, after the entry
-- Reply {1} stored · {2, verdict} the id was decided before, with the same body
--       {3, verdict} or with another · {0, epoch, offset} the stream stands elsewhere

local state, events, verdicts, ages = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id, verdict, now, keep = ARGV[3], ARGV[4], tonumber(ARGV[6]), ARGV[7]

-- Verdicts past their time go a few at a step, which is more than a step adds.
local old = redis.call('ZRANGE', ages, '-inf', now - keep, 'BYSCORE', 'LIMIT', 0, 8)
if #old > 0 then
  redis.call('ZREM', ages, unpack(old))
  redis.call('HDEL', verdicts, unpack(old))
end

local decided = redis.call('HGET', verdicts, id)
if decided then
  -- A write, so that waiting for this connection's writes waits for the commit answered again.
  redis.call('PEXPIRE', verdicts, keep)
  local digest = tonumber(ARGV[5])
  local same = string.sub(decided, 1, digest) == string.sub(verdict, 1, digest)
  return { same and 2 or 3, string.sub(decided, digest + 1) }
end

local at = redis.call('HMGET', state, 'epoch', 'offset', 'link')
local epoch, offset, link = at[1] or '', at[2] or '0', at[3] or ''
-- A link of another offset was left by a server that writes none: it says nothing.
local is_known = ARGV[8] ~= '' and string.sub(link, 1, #offset + 1) == offset .. ':'
if epoch ~= ARGV[1] or offset ~= ARGV[2] or (is_known and link ~= ARGV[8]) then
  return { 0, epoch, offset }
end

if ARGV[9] then
  if epoch == '' then
    redis.call('DEL', events) -- What is left of a stream whose table is gone.
  end
  -- First, because it alone can fail: a script that fails keeps what it has written.
  redis.call('XADD', events, ARGV[10] .. '-0', 'entry', ARGV[11])
  redis.call('HSET', state, 'epoch', ARGV[9], 'offset', ARGV[10],
    'at_ms', ARGV[6], 'command', id, 'link', ARGV[17])
  if ARGV[12] ~= '' then
    redis.call('HSET', state, 'table', ARGV[12])
  end
end
redis.call('HSET', verdicts, id, verdict)
redis.call('ZADD', ages, now, id)
redis.call('PEXPIRE', verdicts, keep)
redis.call('PEXPIRE', ages, keep)
if ARGV[9] then
  local hint = ARGV[15]
  if ARGV[16] == '1' then
    hint = hint .. ARGV[11] .. ARGV[18]
  end
  redis.call(ARGV[13], ARGV[14], hint)
end
return { 1 }

-- The load of writes: each makes a conversation.
dofile((debug.getinfo(1, "S").source:sub(2):match("^(.*/)") or "./") .. "wrk.lua")

wrk.method = "POST"
wrk.body = '{"title":"made under load"}'
wrk.headers["Content-Type"] = "application/json"

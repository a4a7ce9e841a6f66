-- As wrk.lua, with the whole address as the target, as a client of a forward proxy sends it: its host is TARGET's.
init = function()
    wrk.path = os.getenv("TARGET")
    wrk.headers["Host"] = wrk.path:match("^http://([^/]+)")
end

dofile((debug.getinfo(1, "S").source:sub(2):gsub("[^/]*$", "")) .. "wrk.lua")

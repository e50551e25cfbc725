-- Sends the requests of a file in turn: each line is a path and a key.
local requests = {}
local turn = 0

function init(args)
  for line in io.lines(args[1]) do
    local path, key = line:match("^(%S+) (%S+)$")
    requests[#requests + 1] = wrk.format("GET", path, { ["x-api-key"] = key })
  end
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

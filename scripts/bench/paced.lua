-- Lets every connection pause between an answer and its next request: from nothing to twice the mean given, so that
-- requests come at a steady rate and at random moments. wrk counts latency from when a request is sent.
local longest

function init(args)
  longest = 2 * tonumber(args[1])
  math.randomseed(1)
end

function delay()
  return math.random(0, longest)
end

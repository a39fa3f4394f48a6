-- The scenarios, for wrk. Every thread and every run has request ids of its own.
--   wrk ... -s load.lua URL -- SCENARIO RUN [UNIVERSE]
-- RUN tells this run's names from those of others; UNIVERSE is how many workshops "spread"
-- has, and how many ids "replay" knows.

local counter, thread_number, scenario, run, universe = 0, 0, nil, nil, 1000
local prefix, zipf_sums = nil, {}

function setup(thread)
  thread:set("thread_number", thread_number)
  thread_number = thread_number + 1
end

function init(args)
  scenario, run, universe = args[1], args[2], tonumber(args[3] or "1000")
  math.randomseed(os.time() * 1000 + thread_number * 7919)
  prefix = string.format("r%x-%x-", thread_number, math.random(1, 2147483646))
  local sum = 0
  for n = 1, universe do
    sum = sum + 1 / n
    zipf_sums[n] = sum
  end
end

local function zipf()
  local target = math.random() * zipf_sums[universe]
  local low, high = 1, universe
  while low < high do
    local middle = math.floor((low + high) / 2)
    if zipf_sums[middle] < target then low = middle + 1 else high = middle end
  end
  return low
end

local function post(path, body)
  return wrk.format("POST", path, { ["Content-Type"] = "application/json" }, body)
end

local function reserve(workshop, id)
  return post("/workshops/" .. workshop .. "/reservations", '{"requestId":"' .. id .. '","seats":1}')
end

function request()
  counter = counter + 1
  if scenario == "hot" or scenario == "sold-out" then
    return reserve(scenario .. "-" .. run, prefix .. counter)
  elseif scenario == "spread" then
    return reserve("spread-" .. math.random(1, universe), prefix .. counter)
  elseif scenario == "zipf" then
    return reserve("spread-" .. zipf(), prefix .. counter)
  elseif scenario == "replay" then
    return reserve("replay", "known-" .. math.random(1, universe))
  elseif scenario == "status" or scenario == "status-large" then
    return wrk.format("GET", "/workshops/" .. (scenario == "status" and "replay" or "large") .. "/status")
  end
  error("no such scenario: " .. tostring(scenario))
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"seconds":%.6f,"p50_us":%d,"p99_us":%d,"p999_us":%d,"max_us":%d,"failed":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99),
    latency:percentile(99.9), latency.max,
    errors.connect + errors.read + errors.write + errors.timeout))
end

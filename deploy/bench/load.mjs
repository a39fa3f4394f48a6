// The scenarios that wrk has no words for, on autocannon:
//   node load.mjs URL hold+confirm RUN CONNECTIONS SECONDS   each connection holds a slot, then confirms it
//   node load.mjs URL hot RUN CONNECTIONS SECONDS RATE       requests at a fixed rate, come what may
// At a fixed rate the waiting of requests that could not be sent in time counts as latency.
import autocannon from "autocannon";

const [url, scenario, run, connections, seconds, rate] = process.argv.slice(2);
const json = { "content-type": "application/json" };
const prefix = `n${process.pid}-${Date.now().toString(36)}-`;
let counter = 0;

function hold(request, context) {
  context.slot = { tenantId: "bench", resourceId: prefix + ++counter, slotStartIso: "2030-01-01T00:00:00Z", userId: "ann" };
  return { ...request, body: JSON.stringify({ ...context.slot, idempotencyKey: "key" }) };
}

function confirm(request, context) {
  return { ...request, body: JSON.stringify({ ...context.slot, reservationId: context.reservationId }) };
}

const scenarios = {
  "hold+confirm": [
    {
      method: "POST", path: "/api/reservations/hold", headers: json, setupRequest: hold,
      onResponse: (status, body, context) => { context.reservationId = JSON.parse(body).reservationId; },
    },
    { method: "POST", path: "/api/reservations/confirm", headers: json, setupRequest: confirm },
  ],
  hot: [{
    method: "POST", path: `/workshops/hot-${run}/reservations`, headers: json,
    setupRequest: (request) => ({ ...request, body: `{"requestId":"${prefix}${++counter}","seats":1}` }),
  }],
};

const result = await autocannon({
  url, connections: Number(connections), duration: Number(seconds), requests: scenarios[scenario],
  ...(rate ? { overallRate: Number(rate) } : {}),
});
console.log("RESULT " + JSON.stringify({
  requests: result.requests.total,
  seconds: result.duration,
  p50_us: result.latency.p50 * 1000,
  p99_us: result.latency.p99 * 1000,
  p999_us: result.latency.p99_9 * 1000,
  max_us: result.latency.max * 1000,
  failed: result.errors + result.timeouts + (scenario === "hold+confirm" ? result.non2xx : 0),
}));

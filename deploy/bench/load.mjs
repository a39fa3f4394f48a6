// What wrk has no words for, on the HTTP client undici:
//   node load.mjs URL SCENARIO RUN UNIVERSE CONNECTIONS SECONDS        a connection asks again as soon as it is answered
//   node load.mjs URL SCENARIO RUN UNIVERSE CONNECTIONS SECONDS RATE   RATE requests a second, at random, come what may
// RUN and UNIVERSE mean what they mean in load.lua, and so do the scenarios that both know. With a
// RATE the moments of the requests are a Poisson process, and latency counts from the moment at
// which a request was due, so that what waits for a free connection is not left out. Before either,
// this program warms itself up, which is not counted: it takes Node.js a second to become quick.
import { Pool } from "undici";

const [url, scenario, run, universe, connections, seconds, rate] = process.argv.slice(2);
const WAIT_MS_MAX = 10_000;
const WARM_UP_MS = 2_000;
const pool = new Pool(url, { connections: Number(connections), pipelining: 1, headersTimeout: WAIT_MS_MAX, bodyTimeout: WAIT_MS_MAX });
const json = { "content-type": "application/json" };
const prefix = `n${process.pid}-${Date.now().toString(36)}-`;
let latencies = [];
let counter = 0;
let failed = 0;

/** Sends one request; `due` is when it should have been sent. The answer's status and text. */
function send(due, method, path, body) {
  return new Promise((resolve) => {
    let status = 0;
    let text = "";
    pool.dispatch({ path, method, headers: body ? json : undefined, body }, {
      onConnect() {},
      onHeaders(code) { status = code; failed += code >= 500 ? 1 : 0; return true; },
      onData(chunk) { text += chunk; return true; },
      onComplete() { latencies.push(performance.now() - due); resolve({ status, text }); },
      onError() { failed += 1; resolve({ status: 0, text }); },
    });
  });
}

const anyOf = (count) => 1 + Math.floor(Math.random() * Number(count));

const reserve = (due, workshop, requestId) =>
  send(due, "POST", `/workshops/${workshop}/reservations`, `{"requestId":"${requestId}","seats":1}`);

async function holdAndConfirm(due) {
  const slot = { tenantId: "bench", resourceId: prefix + ++counter, slotStartIso: "2030-01-01T00:00:00Z", userId: "ann" };
  const held = await send(due, "POST", "/api/reservations/hold", JSON.stringify({ ...slot, idempotencyKey: "key" }));
  const { reservationId } = held.status === 200 ? JSON.parse(held.text) : {};
  const confirmed = await send(performance.now(), "POST", "/api/reservations/confirm", JSON.stringify({ ...slot, reservationId }));
  failed += held.status === 200 && confirmed.status === 200 ? 0 : 1;
}

const work = {
  hot: (due) => reserve(due, `hot-${run}`, prefix + ++counter),
  "sold-out": (due) => reserve(due, `sold-out-${run}`, prefix + ++counter),
  spread: (due) => reserve(due, `spread-${anyOf(universe)}`, prefix + ++counter),
  replay: (due) => reserve(due, "replay", `known-${anyOf(universe)}`),
  status: (due) => send(due, "GET", "/workshops/replay/status"),
  "hold+confirm": holdAndConfirm,
}[scenario];

async function askAgain(end) {
  while (performance.now() < end) {
    await work(performance.now());
  }
}

const closedLoop = (end) => Promise.all(Array.from({ length: Number(connections) }, () => askAgain(end)));

/** Sends what is due, each time the timer comes round, which is about once a millisecond. */
async function openLoop(end) {
  const underWay = new Set();
  for (let due = performance.now(); due < end; ) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    for (; due <= performance.now() && due < end; due -= (Math.log(1 - Math.random()) * 1000) / Number(rate)) {
      const one = work(due).finally(() => underWay.delete(one));
      underWay.add(one);
    }
  }
  await Promise.all(underWay);
}

await closedLoop(performance.now() + WARM_UP_MS);
const uncounted = latencies.length;
latencies = [];
const begin = performance.now();
await (rate ? openLoop : closedLoop)(begin + Number(seconds) * 1000);
const elapsed = performance.now() - begin;
await pool.destroy();

latencies.sort((a, b) => a - b);
const percentile = (share) => Math.round(1000 * (latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0));
console.log("RESULT " + JSON.stringify({
  requests: latencies.length,
  uncounted,
  seconds: elapsed / 1000,
  p50_us: percentile(0.5),
  p99_us: percentile(0.99),
  p999_us: percentile(0.999),
  max_us: percentile(1),
  failed,
}));

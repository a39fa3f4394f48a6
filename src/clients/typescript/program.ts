// Uses every kind of answer of a running service. Arguments: its address, and its operators' token.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import createClient from "openapi-fetch";
import type { components, paths } from "./target/description.js";

type Reservation = components["schemas"]["Reservation"];
type Refusal = components["schemas"]["Refusal"];
type Failure = components["schemas"]["Error"] | components["schemas"]["Deleted"] | Reservation | Refusal;
type ErrorCode = components["schemas"]["ErrorCode"];

const [baseUrl = "http://localhost:8080", token = ""] = process.argv.slice(2);
// Of the two forms of an error, this client wants the plain one.
const client = createClient<paths, "application/json">({ baseUrl });

const workshop = `w${randomUUID().slice(0, 18)}`;
const userId = "ann";

async function reserve(requestId: string, seats: number) {
  return client.POST("/workshops/{workshop}/reservations", {
    params: { path: { workshop } },
    body: { requestId, seats },
  });
}

async function reservesOnceAndIsRejectedOnce(): Promise<void> {
  const accepted = await reserve("first", 3);
  assert.equal(accepted.response.status, 201);
  const decision: Reservation | undefined = accepted.data;
  assert.equal(decision?.status, "accepted");
  assert.equal(decision?.reserved, 3);

  const replay = await reserve("first", 3);
  assert.equal(replay.data?.replayed, true);
  assert.equal(replay.response.headers.get("Idempotency-Replayed"), "true");

  const rejected = await reserve("second", 2);
  assert.equal(rejected.response.status, 409);
  assert(rejected.error !== undefined && "requestId" in rejected.error);
  const rejection: Reservation = rejected.error;
  assert.equal(rejection.status, "rejected");
}

async function isToldWhatIsWrong(): Promise<void> {
  const invalid = await reserve("first", 9);
  assert.equal(invalid.response.status, 400);
  assert.equal(code(invalid.error), "invalid_reservation");

  const mismatch = await reserve("first", 1);
  assert.equal(mismatch.response.status, 422);
  assert.equal(code(mismatch.error), "idempotency_mismatch");
}

/** The code of an error, which is one of those that the compiler knows. */
function code(failure: Failure | undefined): ErrorCode {
  assert(failure !== undefined && "error" in failure);
  return failure.error;
}

async function holdsAndConfirmsASeat(): Promise<void> {
  const held = await client.POST("/api/workshops/{workshop}/holds", {
    params: { path: { workshop } },
    body: { requestId: "held", seats: 1, userId },
  });
  assert.equal(held.data?.seats, 1);
  assert(held.data.expiresAt > Date.now());

  const path = { workshop, reservationId: held.data.reservationId };
  const stranger = await client.POST("/api/workshops/{workshop}/holds/{reservationId}/confirm", {
    params: { path },
    body: { userId: "bob" },
  });
  assert.equal(stranger.response.status, 409);
  assert(stranger.error !== undefined && "reason" in stranger.error);
  const refusal: Refusal = stranger.error;
  assert.equal(refusal.reason, "NOT_OWNER");

  const confirmed = await client.POST("/api/workshops/{workshop}/holds/{reservationId}/confirm", {
    params: { path },
    body: { userId },
  });
  assert.equal(confirmed.data?.ok, true);

  const view = await client.GET("/api/workshops/{workshop}/holds/{reservationId}", {
    params: { path, query: { userId } },
  });
  assert.equal(view.data?.state, "CONFIRMED");
}

async function holdsAndConfirmsASlot(): Promise<void> {
  const slot = { tenantId: workshop, resourceId: "room", slotStartIso: "2030-01-01T10:00:00Z", userId };
  const held = await client.POST("/api/reservations/hold", { body: { ...slot, idempotencyKey: "key" } });
  assert(held.data !== undefined);
  const { reservationId } = held.data;
  const confirmed = await client.POST("/api/reservations/confirm", { body: { ...slot, reservationId } });
  assert.equal(confirmed.data?.reservationId, reservationId);
}

async function operates(): Promise<void> {
  const request = { params: { path: { workshop } }, body: { capacity: 2 } };
  const stranger = await client.PUT("/api/workshops/{workshop}/capacity", request);
  assert.equal(code(stranger.error), "not_found");
  const headers = { Authorization: `Bearer ${token}` };
  const tooFew = await client.PUT("/api/workshops/{workshop}/capacity", { ...request, headers });
  assert.equal(code(tooFew.error), "capacity_below_reserved");
}

await reservesOnceAndIsRejectedOnce();
await isToldWhatIsWrong();
await holdsAndConfirmsASeat();
await holdsAndConfirmsASlot();
await operates();
console.log("The TypeScript client reserved, held, confirmed and failed as described.");

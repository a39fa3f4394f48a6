// The same decisions in the other classic design: one single-threaded object per pool, with its
// own SQLite database. Just enough of the contract for the benchmark's scenarios; the runtime's
// output gate keeps an answer back until what it tells is on disk.
import { DurableObject } from "cloudflare:workers";

export class Pool extends DurableObject {
  constructor(state, env) {
    super(state, env);
    this.sql = state.storage.sql;
    this.sql.exec(`
      CREATE TABLE IF NOT EXISTS pool (capacity INTEGER NOT NULL, reserved INTEGER NOT NULL,
        accepted INTEGER NOT NULL, rejected INTEGER NOT NULL, CHECK (reserved BETWEEN 0 AND capacity));
      CREATE TABLE IF NOT EXISTS attempt (request_id TEXT PRIMARY KEY, seats INTEGER NOT NULL,
        state TEXT NOT NULL, owner TEXT, expires_at INTEGER) WITHOUT ROWID;
    `);
    if (this.sql.exec("SELECT count(*) AS n FROM pool").one().n === 0) {
      this.sql.exec("INSERT INTO pool VALUES (4, 0, 0, 0)");
    }
  }

  async fetch(request) {
    const [, , name, action] = new URL(request.url).pathname.split("/");
    if (request.method === "GET") return this.status(name);
    const body = await request.json();
    switch (action) {
      case "capacity":
        this.sql.exec("UPDATE pool SET capacity = ?", body.capacity);
        return Response.json(body);
      case "reservations":
        return this.ctx.storage.transactionSync(() => this.reserve(name, body));
      case "hold":
        return this.ctx.storage.transactionSync(() => this.hold(body));
      default:
        return this.ctx.storage.transactionSync(() => this.confirm(body));
    }
  }

  pool() {
    return this.sql.exec("SELECT * FROM pool").one();
  }

  status(workshop) {
    const { capacity, reserved, accepted, rejected } = this.pool();
    return Response.json({
      workshop, capacity, reserved,
      acceptedRequests: accepted, rejectedRequests: rejected, acceptedSeats: reserved,
    });
  }

  find(id) {
    return this.sql.exec("SELECT * FROM attempt WHERE request_id = ?", id).toArray()[0];
  }

  reserve(workshop, { requestId, seats }) {
    const prior = this.find(requestId);
    const { capacity, reserved } = this.pool();
    const accepted = prior ? prior.state === "CONFIRMED" : reserved + seats <= capacity;
    if (!prior) {
      this.sql.exec(
        accepted
          ? "UPDATE pool SET reserved = reserved + ?, accepted = accepted + 1"
          : "UPDATE pool SET rejected = rejected + (? > 0)",
        seats,
      );
      this.sql.exec("INSERT INTO attempt (request_id, seats, state) VALUES (?, ?, ?)",
        requestId, seats, accepted ? "CONFIRMED" : "REJECTED");
    }
    return Response.json(
      {
        workshop, requestId, seats: prior ? prior.seats : seats,
        status: accepted ? "accepted" : "rejected",
        capacity, reserved: reserved + (accepted && !prior ? seats : 0), replayed: !!prior,
      },
      { status: accepted ? 201 : 409 },
    );
  }

  hold({ userId, idempotencyKey }) {
    const now = Date.now();
    const taken = this.sql
      .exec("SELECT request_id FROM attempt WHERE state = 'CONFIRMED' OR expires_at > ?", now)
      .toArray().length > 0;
    if (taken) return Response.json({ ok: false, reason: "ALREADY_HELD_OR_BOOKED" }, { status: 409 });
    const reservationId = crypto.randomUUID();
    this.sql.exec("INSERT INTO attempt VALUES (?, 1, 'HELD', ?, ?)", reservationId, userId, now + 120_000);
    return Response.json({ ok: true, reservationId, expiresAt: now + 120_000, idempotencyKey });
  }

  confirm({ reservationId, userId }) {
    const held = this.find(reservationId);
    if (!held || held.owner !== userId) {
      return Response.json({ ok: false, reason: "NOT_FOUND" }, { status: 409 });
    }
    this.sql.exec("UPDATE attempt SET state = 'CONFIRMED' WHERE request_id = ?", reservationId);
    return Response.json({ ok: true, reservationId });
  }
}

export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    const [, family, name] = url.pathname.split("/");
    if (family === "workshops") {
      return env.POOLS.get(env.POOLS.idFromName("w:" + name)).fetch(request);
    }
    if (family === "api" && request.method === "POST") {
      const text = await request.text();
      const { tenantId, resourceId, slotStartIso } = JSON.parse(text);
      const key = JSON.stringify([tenantId, resourceId, new Date(slotStartIso).toISOString()]);
      const action = url.pathname.endsWith("/hold") ? "hold" : "confirm";
      return env.POOLS.get(env.POOLS.idFromName("s:" + key)).fetch(
        `http://pool/slots/slot/${action}`, { method: "POST", body: text });
    }
    return Response.json({ status: "ok" });
  },
};

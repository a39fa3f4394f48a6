-- Decides direct reservations for one pool, in the order of the arrays, in the caller's
-- transaction: replay check, guard, counters and attempts in one round trip. Request ids must
-- differ from each other. One row per request comes back, in the same order; o_reserved is the
-- pool's count right after that request, without the holds whose time has passed.
--
-- Locking policy. Replays only read. A request that finds no room in a plain read of the pool is
-- rejected without the pool's lock: its answer was true at that
-- read, and what frees seats afterwards may as well have come later. Only a request that may find
-- room takes the lock, decides again under it, and holds it for a few statements and the commit.
-- Attempts are inserted in the order of their ids, and the tally last, so that two transactions
-- never wait for each other in a circle. Should another transaction record one of the ids
-- meanwhile, the primary key refuses ours (23505) and all of it rolls back; the caller tries again
-- and finds the replay. Events need the lock for their numbers, so with events every new request
-- takes it.
--
-- Where several pools share a transaction, none may make the others wait: without p_wait, a pool
-- that is locked by somebody else, or that does not exist yet, is left undecided. Then no row comes
-- back, and nothing was changed.
CREATE FUNCTION ${flyway:defaultSchema}.reserve(
    p_pool_key text,
    p_default_capacity integer,
    p_stripe smallint,
    p_request_ids text[],
    p_seats integer[],
    p_events boolean,
    p_wait boolean
) RETURNS TABLE (
    o_accepted boolean,
    o_seats integer,
    o_capacity integer,
    o_reserved integer,
    o_replayed boolean
)
LANGUAGE plpgsql
VOLATILE
SET lock_timeout = '2s'
AS $$
DECLARE
    -- Per request: the seats of its earlier attempt, negative if that was rejected, or null.
    v_prior integer[];
    v_pool_exists boolean;
    v_lock boolean;
    v_now timestamptz := clock_timestamp();
    v_expired_seats integer;
    v_events bigint;
    v_new_ids text[] := '{}';
    v_new_seats integer[] := '{}';
    v_new_states text[] := '{}';
    v_accepted_requests integer := 0;
    v_accepted_seats integer := 0;
    v_rejected_requests integer := 0;
BEGIN
    SELECT array_agg(
               (SELECT CASE a.state WHEN 'REJECTED' THEN -a.seats ELSE a.seats END
                  FROM ${flyway:defaultSchema}.reservation_attempt a
                 WHERE a.pool_key = p_pool_key AND a.request_id = r.request_id AND a.generation = 0)
               ORDER BY r.ordinal)
      INTO v_prior
      FROM unnest(p_request_ids) WITH ORDINALITY AS r (request_id, ordinal);

    SELECT p.capacity,
           p.reserved - (SELECT coalesce(sum(h.seats), 0)
                           FROM ${flyway:defaultSchema}.reservation_attempt h
                          WHERE h.pool_key = p_pool_key AND h.state = 'HELD' AND h.expires_at <= v_now)
      INTO o_capacity, o_reserved
      FROM ${flyway:defaultSchema}.seat_pool p WHERE p.pool_key = p_pool_key;
    v_pool_exists := FOUND;
    o_capacity := coalesce(o_capacity, p_default_capacity);
    o_reserved := coalesce(o_reserved, 0);

    SELECT coalesce(bool_or(r.prior IS NULL AND (p_events OR o_reserved + r.seats <= o_capacity)), false)
      INTO v_lock
      FROM unnest(p_seats, v_prior) AS r (seats, prior);

    IF v_lock AND NOT p_wait THEN
        PERFORM FROM ${flyway:defaultSchema}.seat_pool p WHERE p.pool_key = p_pool_key FOR UPDATE SKIP LOCKED;
        IF NOT FOUND THEN
            RETURN;
        END IF;
    END IF;
    IF v_lock THEN
        IF NOT v_pool_exists THEN
            INSERT INTO ${flyway:defaultSchema}.seat_pool (pool_key, capacity)
            VALUES (p_pool_key, p_default_capacity)
            ON CONFLICT (pool_key) DO NOTHING;
        END IF;
        PERFORM FROM ${flyway:defaultSchema}.seat_pool p WHERE p.pool_key = p_pool_key FOR UPDATE;
        v_now := clock_timestamp();
        SELECT p.capacity, p.reserved, p.events,
               (SELECT coalesce(sum(h.seats), 0)
                  FROM ${flyway:defaultSchema}.reservation_attempt h
                 WHERE h.pool_key = p_pool_key AND h.state = 'HELD' AND h.expires_at <= v_now)
          INTO o_capacity, o_reserved, v_events, v_expired_seats
          FROM ${flyway:defaultSchema}.seat_pool p WHERE p.pool_key = p_pool_key;
        IF v_expired_seats > 0 THEN
            -- None of them counts. Those that are marked now free more seats than one batch can
            -- ask for; the sweep marks the rest.
            PERFORM ${flyway:defaultSchema}.expire_holds(p_pool_key, v_now, 2000, p_events);
            o_reserved := o_reserved - v_expired_seats;
            SELECT p.events INTO v_events
              FROM ${flyway:defaultSchema}.seat_pool p WHERE p.pool_key = p_pool_key;
        END IF;
    END IF;

    FOR i IN 1 .. cardinality(p_request_ids) LOOP
        o_replayed := v_prior[i] IS NOT NULL;
        o_seats := coalesce(abs(v_prior[i]), p_seats[i]);
        IF o_replayed THEN
            o_accepted := v_prior[i] > 0;
        ELSE
            o_accepted := v_lock AND o_reserved + o_seats <= o_capacity;
            v_new_ids := v_new_ids || p_request_ids[i];
            v_new_seats := v_new_seats || o_seats;
            IF o_accepted THEN
                v_new_states := v_new_states || 'CONFIRMED'::text;
                o_reserved := o_reserved + o_seats;
                v_accepted_seats := v_accepted_seats + o_seats;
                v_accepted_requests := v_accepted_requests + 1;
            ELSE
                v_new_states := v_new_states || 'REJECTED'::text;
                v_rejected_requests := v_rejected_requests + 1;
            END IF;
        END IF;
        RETURN NEXT;
    END LOOP;

    IF v_accepted_requests + v_rejected_requests = 0 THEN
        RETURN;
    END IF;
    IF p_events THEN
        INSERT INTO ${flyway:defaultSchema}.pool_event (pool_key, number, kind, request_id, seats, occurred_at)
        SELECT p_pool_key, v_events + n.ordinal,
               CASE n.state WHEN 'CONFIRMED' THEN 'ACCEPTED' ELSE 'REJECTED' END,
               n.request_id, n.seats, v_now
          FROM unnest(v_new_ids, v_new_seats, v_new_states)
               WITH ORDINALITY AS n (request_id, seats, state, ordinal);
    END IF;
    IF v_accepted_requests > 0 OR p_events THEN
        UPDATE ${flyway:defaultSchema}.seat_pool p
           SET reserved = p.reserved + v_accepted_seats,
               confirmed_seats = p.confirmed_seats + v_accepted_seats,
               confirmed_requests = p.confirmed_requests + v_accepted_requests,
               events = p.events + CASE WHEN p_events THEN v_accepted_requests + v_rejected_requests ELSE 0 END
         WHERE p.pool_key = p_pool_key;
    END IF;
    INSERT INTO ${flyway:defaultSchema}.reservation_attempt (pool_key, request_id, seats, state)
    SELECT p_pool_key, n.request_id, n.seats, n.state
      FROM unnest(v_new_ids, v_new_seats, v_new_states) AS n (request_id, seats, state)
     ORDER BY n.request_id;
    IF v_rejected_requests > 0 THEN
        INSERT INTO ${flyway:defaultSchema}.rejection_tally AS t (pool_key, stripe, rejected)
        VALUES (p_pool_key, p_stripe, v_rejected_requests)
        ON CONFLICT (pool_key, stripe) DO UPDATE SET rejected = t.rejected + EXCLUDED.rejected;
    END IF;
END
$$;

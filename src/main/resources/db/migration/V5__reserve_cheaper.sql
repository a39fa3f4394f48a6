-- Takes the place of the function of V3, with the same answers and the same locking policy, which
-- stands there. What is different is what it costs where a transaction decides one or two requests
-- for each of many pools:
--
--   * Its plans are made once for each connection. With arrays of unknown length PostgreSQL would
--     estimate more rows than for each call anew, and so plan each call anew, which took a quarter
--     of the time. A plan made while a table was small could then read all of a larger one, so none
--     of them may, if there is another way.
--   * The pool's row is locked and read by one statement instead of three.
--   * Holds are looked for only where there are some.
CREATE OR REPLACE FUNCTION ${flyway:defaultSchema}.reserve(
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
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    -- Per request: the seats of its earlier attempt, negative if that was rejected, or null.
    v_prior integer[];
    v_pool_exists boolean;
    v_lock boolean := false;
    v_held boolean;
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

    -- What is reserved but not confirmed is held, so that a pool without holds has none to look for.
    SELECT p.capacity,
           p.reserved - CASE WHEN p.reserved > p.confirmed_seats THEN
               (SELECT coalesce(sum(h.seats), 0)
                  FROM ${flyway:defaultSchema}.reservation_attempt h
                 WHERE h.pool_key = p_pool_key AND h.state = 'HELD' AND h.expires_at <= v_now)
               ELSE 0 END
      INTO o_capacity, o_reserved
      FROM ${flyway:defaultSchema}.seat_pool p WHERE p.pool_key = p_pool_key;
    v_pool_exists := FOUND;
    o_capacity := coalesce(o_capacity, p_default_capacity);
    o_reserved := coalesce(o_reserved, 0);

    FOR i IN 1 .. cardinality(p_request_ids) LOOP
        v_lock := v_prior[i] IS NULL AND (p_events OR o_reserved + p_seats[i] <= o_capacity);
        EXIT WHEN v_lock;
    END LOOP;

    IF v_lock THEN
        IF NOT v_pool_exists THEN
            IF NOT p_wait THEN
                RETURN;
            END IF;
            INSERT INTO ${flyway:defaultSchema}.seat_pool (pool_key, capacity)
            VALUES (p_pool_key, p_default_capacity)
            ON CONFLICT (pool_key) DO NOTHING;
        END IF;
        -- Both show the row as it is once it is locked, also if it changed since this statement began.
        IF p_wait THEN
            SELECT p.capacity, p.reserved, p.events, p.reserved > p.confirmed_seats
              INTO o_capacity, o_reserved, v_events, v_held
              FROM ${flyway:defaultSchema}.seat_pool p WHERE p.pool_key = p_pool_key FOR UPDATE;
        ELSE
            SELECT p.capacity, p.reserved, p.events, p.reserved > p.confirmed_seats
              INTO o_capacity, o_reserved, v_events, v_held
              FROM ${flyway:defaultSchema}.seat_pool p WHERE p.pool_key = p_pool_key FOR UPDATE SKIP LOCKED;
            IF NOT FOUND THEN
                RETURN;
            END IF;
        END IF;
        v_now := clock_timestamp();
        IF v_held THEN
            SELECT coalesce(sum(h.seats), 0) INTO v_expired_seats
              FROM ${flyway:defaultSchema}.reservation_attempt h
             WHERE h.pool_key = p_pool_key AND h.state = 'HELD' AND h.expires_at <= v_now;
            IF v_expired_seats > 0 THEN
                -- None of them counts. Those that are marked now free more seats than one batch can
                -- ask for; the sweep marks the rest.
                PERFORM ${flyway:defaultSchema}.expire_holds(p_pool_key, v_now, 2000, p_events);
                o_reserved := o_reserved - v_expired_seats;
                SELECT p.events INTO v_events
                  FROM ${flyway:defaultSchema}.seat_pool p WHERE p.pool_key = p_pool_key;
            END IF;
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

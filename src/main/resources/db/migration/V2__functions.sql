-- The decisions. Each function decides requests of one pool in the caller's transaction and one
-- round trip; the last two do so for a group of slots.
--
-- Locking policy
--   * A transaction locks a pool's row once, before it changes anything of the pool, and keeps the
--     lock until its commit. Only the holder of the lock changes the pool's row and its holds.
--   * Answers that change nothing take no lock: replays, refusals, standing holds, whatever is final.
--     A request that finds no room in a plain read is rejected by that read: its answer was true
--     then, and what frees seats afterwards may as well have come later. It must find no hold past
--     its time there: a confirmation of the last instant may still be committing.
--     A request to a pool that is shut in a plain read is refused by that read, likewise.
--   * A function waits for the lock for up to two seconds if p_wait says so. Otherwise it leaves a
--     pool undecided that another transaction has locked: no row comes back, and nothing is changed.
--     A transaction of several pools never waits, so that no pool delays another.
--   * Where processes meet at a pool, a decision may commit asynchronously: the lock is free before
--     the flush. The caller sees to it that it answers only after the flush, and the pool's
--     released_at that readers do. An answer that takes no lock waits for it here.
--   * Several pools are locked in the order of their keys, a pool's attempts are inserted in the
--     order of their ids, and its tally comes last: no two transactions wait for each other in a
--     circle. If another transaction records one of the ids first, the primary key refuses ours
--     (23505), all of it rolls back, and the caller tries again and finds the replay.
--
-- Time is this database's clock, read after the lock was taken: a hold has ended if its expires_at
-- is not after that.
--
-- An answer that repeats an earlier one changes nothing, so its commit would wait for no synchronous
-- standby; but the wait of the first one may have been cancelled, and then a failover loses it. So
-- where there are such standbys it writes a message to the log. Once they have that, they have the
-- first decision too.
--
-- Plans are made once per connection: for arrays of unknown length PostgreSQL would otherwise plan
-- every call anew. A plan that was made while a table was small must not read all of a large one,
-- hence no sequential scans. (A distributed engine may need these two settings to be reset.)

-- Why nobody can take seats of a pool at p_now, or null if they can. A pool opens at p_opens_at and
-- closes at p_closes_at, which is outside already. What is over for good comes first.
CREATE FUNCTION "${flyway:defaultSchema}".shut_reason(
    p_paused boolean,
    p_opens_at timestamptz,
    p_closes_at timestamptz,
    p_now timestamptz
) RETURNS text
LANGUAGE sql
IMMUTABLE
AS $$
    SELECT CASE
        WHEN p_closes_at <= p_now THEN 'CLOSED'
        WHEN p_opens_at > p_now THEN 'NOT_OPEN'
        WHEN p_paused THEN 'PAUSED'
    END
$$;

-- Ends holds of one pool whose time had passed at p_now, at most p_limit of them, and gives their
-- seats back. The caller has locked the pool. Returns the seats that came free.
CREATE FUNCTION "${flyway:defaultSchema}".expire_holds(
    p_pool_key text,
    p_now timestamptz,
    p_limit integer,
    p_events boolean
) RETURNS integer
LANGUAGE plpgsql
VOLATILE
AS $$
DECLARE
    v_hold record;
    v_seats integer := 0;
    v_events bigint;
BEGIN
    SELECT p.events INTO v_events
      FROM "${flyway:defaultSchema}".seat_pool p WHERE p.pool_key = p_pool_key;
    FOR v_hold IN
        SELECT a.request_id, a.owner, a.generation, a.reservation_id, a.seats, a.expires_at
          FROM "${flyway:defaultSchema}".reservation_attempt a
         WHERE a.pool_key = p_pool_key AND a.state = 'HELD' AND a.expires_at <= p_now
         ORDER BY a.expires_at
         LIMIT p_limit
    LOOP
        UPDATE "${flyway:defaultSchema}".reservation_attempt a
           SET state = 'EXPIRED', settled_at = p_now
         WHERE a.pool_key = p_pool_key AND a.request_id = v_hold.request_id
           AND a.owner = v_hold.owner AND a.generation = v_hold.generation;
        v_seats := v_seats + v_hold.seats;
        IF p_events THEN
            v_events := v_events + 1;
            INSERT INTO "${flyway:defaultSchema}".pool_event
                (pool_key, number, kind, request_id, reservation_id, seats, expires_at, occurred_at)
            VALUES (p_pool_key, v_events, 'EXPIRED', v_hold.request_id, v_hold.reservation_id,
                    v_hold.seats, v_hold.expires_at, p_now);
        END IF;
    END LOOP;
    UPDATE "${flyway:defaultSchema}".seat_pool p
       SET reserved = p.reserved - v_seats,
           events = v_events,
           next_expiry = (SELECT min(a.expires_at)
                            FROM "${flyway:defaultSchema}".reservation_attempt a
                           WHERE a.pool_key = p_pool_key AND a.state = 'HELD')
     WHERE p.pool_key = p_pool_key;
    RETURN v_seats;
END
$$;

-- Locks a pool, creates it first if it does not exist and p_default_capacity is not null, and ends
-- the holds whose time has passed. Returns the row as it is then, with the time that counts from
-- now on, and o_shut, the reason why no seats can be taken then, if there is one. o_reserved leaves
-- out every hold past its time, also those beyond the 2,000 that are marked at once; 2,000 seats are
-- as many as one batch can ask for. Returns no row if the pool does not exist, or if p_wait is false and
-- another transaction has the pool or many ask for it.
CREATE FUNCTION "${flyway:defaultSchema}".lock_pool(
    p_pool_key text,
    p_default_capacity integer,
    p_wait boolean,
    p_events boolean,
    OUT o_capacity integer,
    OUT o_reserved integer,
    OUT o_events bigint,
    OUT o_now timestamptz,
    OUT o_shut text,
    OUT o_opens_at timestamptz,
    OUT o_closes_at timestamptz
) RETURNS SETOF record
LANGUAGE plpgsql
VOLATILE
ROWS 1
AS $$
DECLARE
    v_waited boolean;
    v_released_at timestamptz;
    v_next_expiry timestamptz;
    v_paused boolean := false; -- as a new pool is
BEGIN
    LOOP -- twice at most: a pool that exists is never removed
        -- Both show the row as it is once it is locked, even if it changed while this waited.
        SELECT p.capacity, p.reserved, p.events, p.next_expiry, p.paused, p.opens_at, p.closes_at,
               p.released_at
          INTO o_capacity, o_reserved, o_events, v_next_expiry, v_paused, o_opens_at, o_closes_at,
               v_released_at
          FROM "${flyway:defaultSchema}".seat_pool p WHERE p.pool_key = p_pool_key FOR UPDATE SKIP LOCKED;
        v_waited := NOT FOUND;
        IF v_waited AND p_wait THEN
            SELECT p.capacity, p.reserved, p.events, p.next_expiry, p.paused, p.opens_at, p.closes_at,
                   p.released_at
              INTO o_capacity, o_reserved, o_events, v_next_expiry, v_paused, o_opens_at, o_closes_at,
                   v_released_at
              FROM "${flyway:defaultSchema}".seat_pool p WHERE p.pool_key = p_pool_key FOR UPDATE;
        END IF;
        EXIT WHEN FOUND;
        IF p_default_capacity IS NULL THEN
            RETURN;
        END IF;
        INSERT INTO "${flyway:defaultSchema}".seat_pool (pool_key, capacity)
        VALUES (p_pool_key, p_default_capacity)
        ON CONFLICT (pool_key) DO NOTHING;
        IF NOT FOUND AND NOT p_wait THEN
            RETURN; -- it exists, so another transaction has it
        END IF;
    END LOOP;
    o_now := clock_timestamp();
    IF NOT p_wait AND v_released_at > o_now - interval '1 s' THEN
        RETURN;
    END IF;
    IF current_setting('synchronous_commit') <> 'off' THEN
        IF v_released_at IS NOT NULL THEN
            UPDATE "${flyway:defaultSchema}".seat_pool p SET released_at = NULL
             WHERE p.pool_key = p_pool_key;
        END IF;
    ELSIF v_released_at IS NULL OR (v_waited AND o_now > v_released_at + interval '500 ms') THEN
        UPDATE "${flyway:defaultSchema}".seat_pool p SET released_at = o_now
         WHERE p.pool_key = p_pool_key;
    END IF;
    o_shut := "${flyway:defaultSchema}".shut_reason(v_paused, o_opens_at, o_closes_at, o_now);
    IF v_next_expiry <= o_now THEN
        PERFORM "${flyway:defaultSchema}".expire_holds(p_pool_key, o_now, 2000, p_events);
        SELECT p.reserved, p.events, p.next_expiry INTO o_reserved, o_events, v_next_expiry
          FROM "${flyway:defaultSchema}".seat_pool p WHERE p.pool_key = p_pool_key;
        IF v_next_expiry <= o_now THEN
            o_reserved := o_reserved - (
                SELECT coalesce(sum(a.seats), 0)
                  FROM "${flyway:defaultSchema}".reservation_attempt a
                 WHERE a.pool_key = p_pool_key AND a.state = 'HELD' AND a.expires_at <= o_now);
        END IF;
    END IF;
    RETURN NEXT;
END
$$;

-- Decides direct reservations in the order of the arrays: replay check, guard, counters and attempts.
-- Request ids must differ from each other. One row per request comes back, in the same order;
-- o_reserved is the pool's count right after that decision, for a replay that of the first time.
-- While the pool is shut, o_shut says why for each request that was not decided before. That is no
-- decision: it leaves nothing behind, and the same request may succeed later.
CREATE FUNCTION "${flyway:defaultSchema}".reserve(
    p_pool_key text,
    p_default_capacity integer,
    p_stripe smallint,
    p_request_ids text[],
    p_seats integer[],
    p_events boolean,
    p_wait boolean
) RETURNS TABLE (
    o_request_id text,
    o_accepted boolean,
    o_seats integer,
    o_capacity integer,
    o_reserved integer,
    o_replayed boolean,
    o_shut text,
    o_opens_at timestamptz,
    o_closes_at timestamptz
)
LANGUAGE plpgsql
VOLATILE
SET lock_timeout = '2s'
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    v_count integer := cardinality(p_request_ids);
    -- Per request: the seats of its earlier attempt, negative if that was rejected, or null.
    v_prior integer[];
    v_prior_reserved integer[];
    v_reserved integer;
    v_next_expiry timestamptz;
    v_shut text;
    v_opens_at timestamptz;
    v_closes_at timestamptz;
    v_lock boolean := false;
    v_again boolean := false;
    v_unflushed boolean;
    v_now timestamptz := clock_timestamp();
    v_events bigint;
    v_new_ids text[] := '{}';
    v_new_seats integer[] := '{}';
    v_new_states text[] := '{}';
    v_new_reserved integer[] := '{}';
    v_accepted_requests integer := 0;
    v_accepted_seats integer := 0;
    v_new_requests integer := 0;
BEGIN
    IF v_count = 1 THEN
        SELECT ARRAY[CASE a.state WHEN 'REJECTED' THEN -a.seats ELSE a.seats END],
               ARRAY[a.reserved_after]
          INTO v_prior, v_prior_reserved
          FROM "${flyway:defaultSchema}".reservation_attempt a
         WHERE a.pool_key = p_pool_key AND a.request_id = p_request_ids[1] AND a.owner = ''
           AND a.generation = 0;
    ELSE
        -- LIMIT keeps this a look-up for each request, whatever the planner thinks of a join.
        SELECT array_agg(f.seats ORDER BY r.ordinal), array_agg(f.reserved_after ORDER BY r.ordinal)
          INTO v_prior, v_prior_reserved
          FROM unnest(p_request_ids) WITH ORDINALITY AS r (request_id, ordinal)
          LEFT JOIN LATERAL (
               SELECT CASE a.state WHEN 'REJECTED' THEN -a.seats ELSE a.seats END AS seats,
                      a.reserved_after
                 FROM "${flyway:defaultSchema}".reservation_attempt a
                WHERE a.pool_key = p_pool_key AND a.request_id = r.request_id AND a.owner = ''
                  AND a.generation = 0
                LIMIT 1) AS f ON true;
    END IF;

    SELECT p.capacity, p.reserved, p.next_expiry, p.opens_at, p.closes_at,
           "${flyway:defaultSchema}".shut_reason(p.paused, p.opens_at, p.closes_at, v_now),
           p.released_at IS NOT NULL
      INTO o_capacity, v_reserved, v_next_expiry, v_opens_at, v_closes_at, v_shut, v_unflushed
      FROM "${flyway:defaultSchema}".seat_pool p WHERE p.pool_key = p_pool_key;
    IF v_shut IS NOT NULL THEN
        -- A request may have been decided after its attempt was looked for, and before this.
        v_again := EXISTS (
            SELECT FROM unnest(p_request_ids, v_prior) AS r (request_id, seats),
                   LATERAL (SELECT FROM "${flyway:defaultSchema}".reservation_attempt a
                             WHERE a.pool_key = p_pool_key AND a.request_id = r.request_id
                               AND a.owner = '' AND a.generation = 0
                             LIMIT 1) f
             WHERE r.seats IS NULL);
    ELSIF NOT FOUND OR p_events OR v_next_expiry <= v_now THEN
        v_lock := v_prior IS NULL OR array_position(v_prior, NULL) IS NOT NULL;
    ELSE
        FOR i IN 1 .. v_count LOOP
            v_lock := v_prior[i] IS NULL AND v_reserved + p_seats[i] <= o_capacity;
            EXIT WHEN v_lock;
        END LOOP;
    END IF;
    IF v_lock THEN
        SELECT l.o_capacity, l.o_reserved, l.o_events, l.o_now, l.o_shut
          INTO o_capacity, v_reserved, v_events, v_now, v_shut
          FROM "${flyway:defaultSchema}".lock_pool(p_pool_key, p_default_capacity, p_wait, p_events) l;
        IF NOT FOUND THEN
            RETURN;
        END IF;
        v_again := v_shut IS NOT NULL; -- since it was read
    ELSIF current_setting('synchronous_commit') = 'off' THEN
        -- Without the lock nothing would tell readers that what is written here may get lost.
        PERFORM set_config('synchronous_commit', 'on', true);
    END IF;
    IF v_again THEN
        RETURN QUERY
            SELECT r.* FROM "${flyway:defaultSchema}".reserve(
                p_pool_key, p_default_capacity, p_stripe, p_request_ids, p_seats, p_events, p_wait) r;
        RETURN;
    END IF;

    FOR i IN 1 .. v_count LOOP
        o_request_id := p_request_ids[i];
        o_replayed := v_prior[i] IS NOT NULL;
        IF o_replayed THEN
            o_accepted := v_prior[i] > 0;
            o_seats := abs(v_prior[i]);
            o_reserved := v_prior_reserved[i];
            o_shut := NULL;
        ELSIF v_shut IS NOT NULL THEN
            o_accepted := false;
            o_seats := p_seats[i];
            o_reserved := v_reserved;
            o_shut := v_shut;
            o_opens_at := v_opens_at;
            o_closes_at := v_closes_at;
        ELSE
            o_seats := p_seats[i];
            o_accepted := v_lock AND v_reserved + o_seats <= o_capacity;
            IF o_accepted THEN
                v_reserved := v_reserved + o_seats;
                v_accepted_seats := v_accepted_seats + o_seats;
                v_accepted_requests := v_accepted_requests + 1;
            END IF;
            o_reserved := v_reserved;
            v_new_requests := v_new_requests + 1;
            v_new_ids := v_new_ids || p_request_ids[i];
            v_new_seats := v_new_seats || o_seats;
            v_new_states := v_new_states || CASE WHEN o_accepted THEN 'CONFIRMED' ELSE 'REJECTED' END;
            v_new_reserved := v_new_reserved || v_reserved;
        END IF;
        RETURN NEXT;
    END LOOP;

    IF v_new_requests = 0 THEN
        PERFORM pg_logical_emit_message(true, 'seatfast', '')
          WHERE v_unflushed OR current_setting('synchronous_standby_names') <> '';
        RETURN;
    END IF;
    IF p_events THEN
        INSERT INTO "${flyway:defaultSchema}".pool_event (pool_key, number, kind, request_id, seats, occurred_at)
        SELECT p_pool_key, v_events + n.ordinal,
               CASE n.state WHEN 'CONFIRMED' THEN 'ACCEPTED' ELSE 'REJECTED' END,
               n.request_id, n.seats, v_now
          FROM unnest(v_new_ids, v_new_seats, v_new_states)
               WITH ORDINALITY AS n (request_id, seats, state, ordinal);
    END IF;
    IF v_accepted_requests > 0 OR p_events THEN
        UPDATE "${flyway:defaultSchema}".seat_pool p
           SET reserved = p.reserved + v_accepted_seats,
               confirmed_seats = p.confirmed_seats + v_accepted_seats,
               confirmed_requests = p.confirmed_requests + v_accepted_requests,
               events = p.events + CASE WHEN p_events THEN v_new_requests ELSE 0 END
         WHERE p.pool_key = p_pool_key;
    END IF;
    IF v_new_requests = 1 THEN
        INSERT INTO "${flyway:defaultSchema}".reservation_attempt
            (pool_key, request_id, seats, state, reserved_after)
        VALUES (p_pool_key, v_new_ids[1], v_new_seats[1], v_new_states[1], v_new_reserved[1]);
    ELSE
        INSERT INTO "${flyway:defaultSchema}".reservation_attempt
            (pool_key, request_id, seats, state, reserved_after)
        SELECT p_pool_key, n.request_id, n.seats, n.state, n.reserved_after
          FROM unnest(v_new_ids, v_new_seats, v_new_states, v_new_reserved)
               AS n (request_id, seats, state, reserved_after)
         ORDER BY n.request_id COLLATE "C";
    END IF;
    IF v_new_requests > v_accepted_requests THEN
        INSERT INTO "${flyway:defaultSchema}".rejection_tally AS t (pool_key, stripe, rejected)
        VALUES (p_pool_key, p_stripe, v_new_requests - v_accepted_requests)
        ON CONFLICT (pool_key, stripe) DO UPDATE SET rejected = t.rejected + EXCLUDED.rejected;
    END IF;
END
$$;

-- Decides one direct reservation like reserve, with less work in the usual cases: it gets its seats,
-- or it is a replay. Returns a row of nulls where reserve returns none.
CREATE FUNCTION "${flyway:defaultSchema}".reserve_one(
    p_pool_key text,
    p_default_capacity integer,
    p_stripe smallint,
    p_request_id text,
    p_seats integer,
    p_events boolean,
    p_wait boolean,
    OUT o_request_id text,
    OUT o_accepted boolean,
    OUT o_seats integer,
    OUT o_capacity integer,
    OUT o_reserved integer,
    OUT o_replayed boolean,
    OUT o_shut text,
    OUT o_opens_at timestamptz,
    OUT o_closes_at timestamptz
)
LANGUAGE plpgsql
VOLATILE
SET lock_timeout = '2s'
SET enable_seqscan = off
AS $$
DECLARE
    v_unflushed boolean;
    v_free boolean;
BEGIN
    SELECT a.state <> 'REJECTED', a.seats, a.reserved_after INTO o_accepted, o_seats, o_reserved
      FROM "${flyway:defaultSchema}".reservation_attempt a
     WHERE a.pool_key = p_pool_key AND a.request_id = p_request_id AND a.owner = ''
       AND a.generation = 0;
    o_replayed := FOUND;
    IF o_replayed THEN
        o_request_id := p_request_id;
        SELECT p.capacity, p.released_at IS NOT NULL INTO o_capacity, v_unflushed
          FROM "${flyway:defaultSchema}".seat_pool p WHERE p.pool_key = p_pool_key;
        PERFORM pg_logical_emit_message(true, 'seatfast', '')
          WHERE v_unflushed OR current_setting('synchronous_standby_names') <> '';
        RETURN;
    END IF;
    IF NOT p_events THEN
        PERFORM FROM "${flyway:defaultSchema}".seat_pool p
          WHERE p.pool_key = p_pool_key AND p.reserved + p_seats <= p.capacity
            AND (p_wait OR (p.released_at > clock_timestamp() - interval '1 s') IS NOT TRUE)
            FOR UPDATE SKIP LOCKED;
        v_free := FOUND;
        IF p_wait AND NOT v_free THEN
            PERFORM FROM "${flyway:defaultSchema}".seat_pool p WHERE p.pool_key = p_pool_key FOR UPDATE;
        END IF;
        IF v_free OR p_wait THEN
            UPDATE "${flyway:defaultSchema}".seat_pool p
               SET reserved = p.reserved + p_seats,
                   confirmed_seats = p.confirmed_seats + p_seats,
                   confirmed_requests = p.confirmed_requests + 1,
                   released_at = CASE
                       WHEN current_setting('synchronous_commit') <> 'off' THEN NULL
                       WHEN v_free THEN coalesce(p.released_at, clock_timestamp())
                       ELSE clock_timestamp() END
             WHERE p.pool_key = p_pool_key
               AND p.reserved + p_seats <= p.capacity
               AND (p.next_expiry <= clock_timestamp()) IS NOT TRUE
               -- As shut_reason says, which would be a call here.
               AND NOT p.paused
               AND (p.opens_at > clock_timestamp()) IS NOT TRUE
               AND (p.closes_at <= clock_timestamp()) IS NOT TRUE
            RETURNING p_request_id, true, p_seats, p.capacity, p.reserved
              INTO o_request_id, o_accepted, o_seats, o_capacity, o_reserved;
            IF FOUND THEN
                INSERT INTO "${flyway:defaultSchema}".reservation_attempt
                    (pool_key, request_id, seats, state, reserved_after)
                VALUES (p_pool_key, p_request_id, p_seats, 'CONFIRMED', o_reserved);
                RETURN;
            END IF;
        END IF;
    END IF;
    SELECT r.o_request_id, r.o_accepted, r.o_seats, r.o_capacity, r.o_reserved, r.o_replayed, r.o_shut,
           r.o_opens_at, r.o_closes_at
      INTO o_request_id, o_accepted, o_seats, o_capacity, o_reserved, o_replayed, o_shut,
           o_opens_at, o_closes_at
      FROM "${flyway:defaultSchema}".reserve(
               p_pool_key, p_default_capacity, p_stripe, ARRAY[p_request_id], ARRAY[p_seats],
               p_events, p_wait) r;
END
$$;

-- Holds seats, request by request in the order of the arrays. Pairs of request id and owner must
-- differ from each other. For each comes back
--   HELD      the hold, new or standing (o_replayed) since an earlier request with the same id by
--             the same owner; a confirmed one stands always
--   REFUSED   there is no room, or the id stands for a hold of a group
--   NOT_OPEN, CLOSED or PAUSED   the pool is shut, and no hold stands
-- A refusal leaves nothing behind: the same request may succeed later. Under the id of a hold that
-- ended without a confirmation a new one may be made; its row is the next generation.
CREATE FUNCTION "${flyway:defaultSchema}".hold(
    p_pool_key text,
    p_default_capacity integer,
    p_request_ids text[],
    p_owners text[],
    p_seats integer[],
    p_reservation_ids uuid[],
    p_time_to_live interval,
    p_events boolean,
    p_wait boolean
) RETURNS TABLE (
    o_outcome text,
    o_reservation_id uuid,
    o_seats integer,
    o_expires_at timestamptz,
    o_replayed boolean,
    o_opens_at timestamptz,
    o_closes_at timestamptz
)
LANGUAGE plpgsql
VOLATILE
SET lock_timeout = '2s'
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    v_last record;
    v_stands boolean;
    v_locked boolean := false;
    v_may_fit boolean;
    v_shut text;
    v_now timestamptz := clock_timestamp();
    v_capacity integer;
    v_reserved integer;
    v_next_expiry timestamptz;
    v_first_end timestamptz;
    v_events bigint;
    v_new_requests integer := 0;
    v_new_seats integer := 0;
    v_repeats boolean := false;
BEGIN
    SELECT p.capacity, p.reserved, p.next_expiry, p.opens_at, p.closes_at,
           "${flyway:defaultSchema}".shut_reason(p.paused, p.opens_at, p.closes_at, v_now)
      INTO v_capacity, v_reserved, v_next_expiry, o_opens_at, o_closes_at, v_shut
      FROM "${flyway:defaultSchema}".seat_pool p WHERE p.pool_key = p_pool_key;
    v_may_fit := NOT FOUND OR coalesce(v_next_expiry <= v_now, false);

    FOR i IN 1 .. cardinality(p_request_ids) LOOP
        LOOP -- twice at most: once reading, once under the lock
            SELECT a.generation, a.state, a.seats, a.reservation_id, a.expires_at, a.grouped
              INTO v_last
              FROM "${flyway:defaultSchema}".reservation_attempt a
             WHERE a.pool_key = p_pool_key AND a.request_id = p_request_ids[i]
               AND a.owner = p_owners[i]
             ORDER BY a.generation DESC
             LIMIT 1;
            v_stands := FOUND
                AND (v_last.state = 'CONFIRMED' OR (v_last.state = 'HELD' AND v_last.expires_at > v_now));
            EXIT WHEN v_stands OR v_locked;
            -- A hold past its time may just be confirmed.
            EXIT WHEN v_shut IS NOT NULL AND v_last.state IS DISTINCT FROM 'HELD';
            EXIT WHEN NOT v_may_fit AND v_reserved + p_seats[i] > v_capacity;
            SELECT l.o_capacity, l.o_reserved, l.o_events, l.o_now, l.o_shut, l.o_opens_at, l.o_closes_at
              INTO v_capacity, v_reserved, v_events, v_now, v_shut, o_opens_at, o_closes_at
              FROM "${flyway:defaultSchema}".lock_pool(p_pool_key, p_default_capacity, p_wait, p_events) l;
            IF NOT FOUND THEN
                -- The rows so far only read; the caller takes one that is locked for all of them.
                o_outcome := 'LOCKED';
                RETURN NEXT;
                RETURN;
            END IF;
            v_locked := true;
        END LOOP;

        o_outcome := 'REFUSED';
        o_reservation_id := NULL;
        o_seats := p_seats[i];
        o_expires_at := NULL;
        o_replayed := v_stands AND NOT v_last.grouped;
        IF o_replayed THEN
            v_repeats := true;
            o_outcome := 'HELD';
            o_reservation_id := v_last.reservation_id;
            o_seats := v_last.seats;
            o_expires_at := v_last.expires_at;
        ELSIF NOT v_stands AND v_shut IS NOT NULL THEN
            o_outcome := v_shut;
        ELSIF NOT v_stands AND v_locked AND v_reserved + o_seats <= v_capacity THEN
            o_outcome := 'HELD';
            o_reservation_id := p_reservation_ids[i];
            o_expires_at := date_trunc('milliseconds', v_now + p_time_to_live);
            v_reserved := v_reserved + o_seats;
            v_new_requests := v_new_requests + 1;
            v_new_seats := v_new_seats + o_seats;
            v_first_end := least(v_first_end, o_expires_at);
            INSERT INTO "${flyway:defaultSchema}".reservation_attempt
                (pool_key, request_id, owner, generation, seats, state, reserved_after,
                 reservation_id, expires_at, decided_at)
            VALUES (p_pool_key, p_request_ids[i], p_owners[i], coalesce(v_last.generation + 1, 0),
                    o_seats, 'HELD', v_reserved, o_reservation_id, o_expires_at, v_now);
            IF p_events THEN
                INSERT INTO "${flyway:defaultSchema}".pool_event
                    (pool_key, number, kind, request_id, reservation_id, seats, expires_at, occurred_at)
                VALUES (p_pool_key, v_events + v_new_requests, 'HELD', p_request_ids[i],
                        o_reservation_id, o_seats, o_expires_at, v_now);
            END IF;
        END IF;
        RETURN NEXT;
    END LOOP;

    IF v_new_requests > 0 THEN
        UPDATE "${flyway:defaultSchema}".seat_pool p
           SET reserved = p.reserved + v_new_seats,
               next_expiry = least(p.next_expiry, v_first_end),
               events = p.events + CASE WHEN p_events THEN v_new_requests ELSE 0 END
         WHERE p.pool_key = p_pool_key;
    ELSIF NOT v_locked THEN
        PERFORM pg_logical_emit_message(true, 'seatfast', '')
          WHERE (v_repeats AND current_setting('synchronous_standby_names') <> '')
             OR EXISTS (SELECT FROM "${flyway:defaultSchema}".seat_pool p
                         WHERE p.pool_key = p_pool_key AND p.released_at IS NOT NULL);
    END IF;
END
$$;

-- What becomes of a request to change a hold:
--   DONE            it is so already
--   NOT_FOUND       there is no such hold
--   NOT_OWNER       it belongs to another user
--   PART_OF_GROUP   it belongs to a group and can only be changed with it
--   EXPIRED         its time has passed
--   CANCELLED       it was cancelled
--   CONFIRMED       it was confirmed, so there is nothing to extend
--   null            it can be done, under the pool's lock
-- A hold past its time is EXPIRED for good only under the lock: without it (p_now is null) a
-- confirmation of the last instant may still be committing.
CREATE FUNCTION "${flyway:defaultSchema}".settlement_outcome(
    p_action text,
    p_state text,
    p_is_owner boolean,
    p_same_grouping boolean,
    p_expires_at timestamptz,
    p_now timestamptz
) RETURNS text
LANGUAGE sql
IMMUTABLE
AS $$
    SELECT CASE
        WHEN p_state IS NULL THEN 'NOT_FOUND'
        WHEN NOT p_is_owner THEN 'NOT_OWNER'
        WHEN NOT p_same_grouping THEN 'PART_OF_GROUP'
        WHEN p_state = 'CANCELLED' AND p_action = 'CANCEL' THEN 'DONE'
        WHEN p_state = 'CONFIRMED' AND p_action = 'CONFIRM' THEN 'DONE'
        WHEN p_state = 'CONFIRMED' AND p_action = 'EXTEND' THEN 'CONFIRMED'
        WHEN p_state = 'CANCELLED' THEN 'CANCELLED'
        WHEN p_state = 'EXPIRED' OR (p_state = 'HELD' AND p_expires_at <= p_now) THEN 'EXPIRED'
    END
$$;

-- The end of a hold that is extended at p_now: a time to live from then, but never later than
-- p_time_max after the hold was made, and never earlier than it was. Null if it is as late already.
CREATE FUNCTION "${flyway:defaultSchema}".extended_end(
    p_expires_at timestamptz,
    p_held_at timestamptz,
    p_now timestamptz,
    p_time_to_live interval,
    p_time_max interval
) RETURNS timestamptz
LANGUAGE sql
IMMUTABLE
AS $$
    SELECT CASE WHEN p_expires_at < date_trunc('milliseconds', p_held_at + p_time_max)
                THEN greatest(p_expires_at,
                              least(date_trunc('milliseconds', p_held_at + p_time_max),
                                    date_trunc('milliseconds', p_now + p_time_to_live))) END
$$;

-- Confirms, cancels or extends holds, one by one in the order of the arrays. For each comes back its
-- outcome (DONE, one of those above, or TOO_LONG for a hold that has as much time as it can get),
-- with its seats and its end as they are then.
CREATE FUNCTION "${flyway:defaultSchema}".settle(
    p_pool_key text,
    p_action text,
    p_reservation_ids uuid[],
    p_owners text[],
    p_time_to_live interval,
    p_time_max interval,
    p_events boolean,
    p_wait boolean
) RETURNS TABLE (
    o_outcome text,
    o_seats integer,
    o_expires_at timestamptz
)
LANGUAGE plpgsql
VOLATILE
SET lock_timeout = '2s'
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    v_hold record;
    v_locked boolean := false;
    v_now timestamptz;
    v_events bigint;
    v_changed integer := 0;
    v_repeats boolean := false;
    v_freed integer := 0;
    v_confirmed_requests integer := 0;
    v_confirmed_seats integer := 0;
BEGIN
    FOR i IN 1 .. cardinality(p_reservation_ids) LOOP
        LOOP -- twice at most: once reading, once under the lock
            SELECT a.request_id, a.owner, a.generation, a.state, a.seats, a.expires_at, a.decided_at,
                   a.grouped
              INTO v_hold
              FROM "${flyway:defaultSchema}".reservation_attempt a
             WHERE a.pool_key = p_pool_key AND a.reservation_id = p_reservation_ids[i];
            o_outcome := "${flyway:defaultSchema}".settlement_outcome(
                p_action, v_hold.state, v_hold.owner = p_owners[i], NOT v_hold.grouped,
                v_hold.expires_at, v_now);
            EXIT WHEN o_outcome IS NOT NULL OR v_locked;
            SELECT l.o_events, l.o_now INTO v_events, v_now
              FROM "${flyway:defaultSchema}".lock_pool(p_pool_key, NULL, p_wait, p_events) l;
            IF NOT FOUND THEN
                o_outcome := 'LOCKED'; -- as in hold
                RETURN NEXT;
                RETURN;
            END IF;
            v_locked := true;
        END LOOP;
        o_seats := v_hold.seats;
        o_expires_at := v_hold.expires_at;
        v_repeats := v_repeats OR o_outcome = 'DONE';

        IF o_outcome IS NULL AND p_action = 'EXTEND' THEN
            o_expires_at := "${flyway:defaultSchema}".extended_end(
                v_hold.expires_at, v_hold.decided_at, v_now, p_time_to_live, p_time_max);
            IF o_expires_at IS NULL THEN
                o_outcome := 'TOO_LONG';
                o_expires_at := v_hold.expires_at;
            END IF;
        END IF;
        IF o_outcome IS NULL THEN
            o_outcome := 'DONE';
            v_changed := v_changed + 1;
            PERFORM "${flyway:defaultSchema}".change_hold(
                p_pool_key, p_action, v_hold.request_id, v_hold.owner, v_hold.generation,
                o_expires_at, v_now,
                CASE WHEN p_events THEN v_events + v_changed END);
            IF p_action = 'CONFIRM' THEN
                v_confirmed_requests := v_confirmed_requests + 1;
                v_confirmed_seats := v_confirmed_seats + v_hold.seats;
            ELSIF p_action = 'CANCEL' THEN
                v_freed := v_freed + v_hold.seats;
                IF v_hold.state = 'CONFIRMED' THEN
                    v_confirmed_requests := v_confirmed_requests - 1;
                    v_confirmed_seats := v_confirmed_seats - v_hold.seats;
                END IF;
            END IF;
        END IF;
        RETURN NEXT;
    END LOOP;

    IF v_changed > 0 AND (p_action <> 'EXTEND' OR p_events) THEN
        UPDATE "${flyway:defaultSchema}".seat_pool p
           SET reserved = p.reserved - v_freed,
               confirmed_seats = p.confirmed_seats + v_confirmed_seats,
               confirmed_requests = p.confirmed_requests + v_confirmed_requests,
               events = p.events + CASE WHEN p_events THEN v_changed ELSE 0 END
         WHERE p.pool_key = p_pool_key;
    END IF;
    IF v_changed = 0 AND v_repeats THEN
        PERFORM pg_logical_emit_message(true, 'seatfast', '')
          WHERE current_setting('synchronous_standby_names') <> '';
    END IF;
END
$$;

-- Writes one change of a hold, and its event if p_event is not null. The caller has locked the pool
-- and keeps its counters.
CREATE FUNCTION "${flyway:defaultSchema}".change_hold(
    p_pool_key text,
    p_action text,
    p_request_id text,
    p_owner text,
    p_generation integer,
    p_expires_at timestamptz,
    p_now timestamptz,
    p_event bigint
) RETURNS void
LANGUAGE plpgsql
VOLATILE
AS $$
BEGIN
    UPDATE "${flyway:defaultSchema}".reservation_attempt a
       SET state = CASE WHEN p_action = 'CONFIRM' THEN 'CONFIRMED'
                        WHEN p_action = 'CANCEL' THEN 'CANCELLED'
                        ELSE 'HELD' END,
           expires_at = p_expires_at,
           settled_at = CASE WHEN p_action <> 'EXTEND' THEN p_now END
     WHERE a.pool_key = p_pool_key AND a.request_id = p_request_id AND a.owner = p_owner
       AND a.generation = p_generation;
    IF p_event IS NOT NULL THEN
        INSERT INTO "${flyway:defaultSchema}".pool_event
            (pool_key, number, kind, request_id, reservation_id, seats, expires_at, occurred_at)
        SELECT a.pool_key, p_event,
               CASE WHEN p_action = 'EXTEND' THEN 'EXTENDED' ELSE a.state END,
               a.request_id, a.reservation_id, a.seats, a.expires_at, p_now
          FROM "${flyway:defaultSchema}".reservation_attempt a
         WHERE a.pool_key = p_pool_key AND a.request_id = p_request_id AND a.owner = p_owner
           AND a.generation = p_generation;
    END IF;
END
$$;

-- Ends up to p_limit holds of a pool whose time has passed. Returns the seats that came free, or
-- null if p_wait is false and another transaction has the pool.
CREATE FUNCTION "${flyway:defaultSchema}".tidy_pool(
    p_pool_key text,
    p_limit integer,
    p_events boolean,
    p_wait boolean
) RETURNS integer
LANGUAGE plpgsql
VOLATILE
SET lock_timeout = '2s'
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
BEGIN
    IF p_wait THEN
        PERFORM FROM "${flyway:defaultSchema}".seat_pool p WHERE p.pool_key = p_pool_key FOR UPDATE;
    ELSE
        PERFORM FROM "${flyway:defaultSchema}".seat_pool p WHERE p.pool_key = p_pool_key FOR UPDATE SKIP LOCKED;
    END IF;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    RETURN "${flyway:defaultSchema}".expire_holds(p_pool_key, clock_timestamp(), p_limit, p_events);
END
$$;

-- Sets a pool's capacity, and makes the pool if it does not exist. Decisions that were made stay as
-- they are. o_changed is false, with nothing changed, if more seats are taken than p_capacity.
-- o_before is the capacity until then, or null if the pool did not exist.
CREATE FUNCTION "${flyway:defaultSchema}".set_capacity(
    p_pool_key text,
    p_capacity integer,
    p_events boolean,
    OUT o_changed boolean,
    OUT o_before integer
) RETURNS record
LANGUAGE plpgsql
VOLATILE
SET lock_timeout = '2s'
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    v_reserved integer;
    v_events bigint;
    v_now timestamptz;
    v_raw integer;
    v_used boolean;
BEGIN
    v_used := EXISTS (SELECT FROM "${flyway:defaultSchema}".seat_pool p WHERE p.pool_key = p_pool_key);
    SELECT CASE WHEN v_used THEN l.o_capacity END, l.o_reserved, l.o_events, l.o_now
      INTO o_before, v_reserved, v_events, v_now
      FROM "${flyway:defaultSchema}".lock_pool(p_pool_key, p_capacity, true, p_events) l;
    IF v_reserved > p_capacity THEN
        o_changed := false;
        RETURN;
    END IF;
    LOOP -- marks what lock_pool left, until the counter itself is low enough
        SELECT p.reserved, p.events INTO v_raw, v_events
          FROM "${flyway:defaultSchema}".seat_pool p WHERE p.pool_key = p_pool_key;
        EXIT WHEN v_raw <= p_capacity;
        PERFORM "${flyway:defaultSchema}".expire_holds(p_pool_key, v_now, 2000, p_events);
    END LOOP;
    UPDATE "${flyway:defaultSchema}".seat_pool p
       SET capacity = p_capacity, events = p.events + CASE WHEN p_events THEN 1 ELSE 0 END
     WHERE p.pool_key = p_pool_key;
    IF p_events THEN
        INSERT INTO "${flyway:defaultSchema}".pool_event (pool_key, number, kind, request_id, seats, occurred_at)
        VALUES (p_pool_key, v_events + 1, 'CAPACITY_CHANGED', '', p_capacity, v_now);
    END IF;
    o_changed := true;
END
$$;

-- Holds all of several slots or none, under one reservation id and with one end. p_pool_keys are in
-- their order and differ from each other. One row comes back:
--   HELD      all are held, now or (o_replayed) since the same slots were asked for under this id
--   REFUSED   one of them is taken, or the id stands for something else
-- The locks are taken in the order of the keys, all of them before anything is written.
CREATE FUNCTION "${flyway:defaultSchema}".hold_group(
    p_pool_keys text[],
    p_request_id text,
    p_owner text,
    p_reservation_id uuid,
    p_time_to_live interval,
    p_events boolean,
    OUT o_outcome text,
    OUT o_reservation_id uuid,
    OUT o_expires_at timestamptz,
    OUT o_replayed boolean
)
LANGUAGE plpgsql
VOLATILE
SET lock_timeout = '2s'
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    v_began timestamptz := clock_timestamp();
    v_now timestamptz := v_began;
    v_locked boolean := false;
    v_key text;
    v_last record;
    v_pool record;
    v_standing integer;
    v_generations integer[];
    v_events bigint[];
BEGIN
    o_outcome := 'REFUSED';
    o_replayed := false;
    LOOP -- twice at most: once reading, once under the locks
        v_standing := 0;
        v_generations := '{}';
        v_events := '{}';
        FOREACH v_key IN ARRAY p_pool_keys LOOP
            SELECT a.generation, a.state, a.reservation_id, a.expires_at, a.grouped INTO v_last
              FROM "${flyway:defaultSchema}".reservation_attempt a
             WHERE a.pool_key = v_key AND a.request_id = p_request_id AND a.owner = p_owner
             ORDER BY a.generation DESC
             LIMIT 1;
            IF v_last.state = 'CONFIRMED' OR (v_last.state = 'HELD' AND v_last.expires_at > v_now) THEN
                IF NOT v_last.grouped OR o_reservation_id <> v_last.reservation_id THEN
                    o_reservation_id := NULL;
                    RETURN;
                END IF;
                v_standing := v_standing + 1;
                o_reservation_id := v_last.reservation_id;
                o_expires_at := v_last.expires_at;
                CONTINUE;
            END IF;
            SELECT p.reserved < p.capacity AS free, p.next_expiry <= v_now AS due, p.events INTO v_pool
              FROM "${flyway:defaultSchema}".seat_pool p WHERE p.pool_key = v_key;
            IF v_locked AND v_pool.due THEN -- its time passed while the other locks were taken
                PERFORM "${flyway:defaultSchema}".expire_holds(v_key, v_now, 2000, p_events);
                SELECT p.reserved < p.capacity AS free, false AS due, p.events INTO v_pool
                  FROM "${flyway:defaultSchema}".seat_pool p WHERE p.pool_key = v_key;
            END IF;
            IF NOT v_pool.free AND v_pool.due IS NOT TRUE THEN
                o_reservation_id := NULL;
                RETURN;
            END IF;
            v_generations := v_generations || coalesce(v_last.generation + 1, 0);
            v_events := v_events || v_pool.events;
        END LOOP;
        IF v_standing > 0 THEN
            PERFORM FROM "${flyway:defaultSchema}".hold_group g
              WHERE g.group_id = o_reservation_id AND g.pool_keys = p_pool_keys;
            IF FOUND THEN
                o_outcome := 'HELD';
                o_replayed := true;
                PERFORM pg_logical_emit_message(true, 'seatfast', '')
                  WHERE current_setting('synchronous_standby_names') <> '';
            ELSE
                o_reservation_id := NULL;
            END IF;
            RETURN;
        END IF;
        EXIT WHEN v_locked;
        FOREACH v_key IN ARRAY p_pool_keys LOOP
            IF clock_timestamp() > v_began + interval '2 s' THEN
                RAISE EXCEPTION 'The slots of a group were not locked in time' USING ERRCODE = 'lock_not_available';
            END IF;
            PERFORM "${flyway:defaultSchema}".lock_pool(v_key, 1, true, p_events);
        END LOOP;
        v_locked := true;
        v_now := clock_timestamp();
    END LOOP;

    o_outcome := 'HELD';
    o_reservation_id := p_reservation_id;
    o_expires_at := date_trunc('milliseconds', v_now + p_time_to_live);
    INSERT INTO "${flyway:defaultSchema}".hold_group (group_id, pool_keys)
    VALUES (p_reservation_id, p_pool_keys);
    FOR i IN 1 .. cardinality(p_pool_keys) LOOP
        INSERT INTO "${flyway:defaultSchema}".reservation_attempt
            (pool_key, request_id, owner, generation, seats, state, reserved_after,
             reservation_id, expires_at, grouped, decided_at)
        VALUES (p_pool_keys[i], p_request_id, p_owner, v_generations[i], 1, 'HELD', 1,
                p_reservation_id, o_expires_at, true, v_now);
        UPDATE "${flyway:defaultSchema}".seat_pool p
           SET reserved = p.reserved + 1,
               next_expiry = least(p.next_expiry, o_expires_at),
               events = p.events + CASE WHEN p_events THEN 1 ELSE 0 END
         WHERE p.pool_key = p_pool_keys[i];
        IF p_events THEN
            INSERT INTO "${flyway:defaultSchema}".pool_event
                (pool_key, number, kind, request_id, reservation_id, seats, expires_at, occurred_at)
            VALUES (p_pool_keys[i], v_events[i] + 1, 'HELD', p_request_id, p_reservation_id, 1,
                    o_expires_at, v_now);
        END IF;
    END LOOP;
END
$$;

-- Confirms, cancels or extends all slots of a group or none. p_tenant_prefix is what the keys of the
-- caller's tenant begin with. The outcomes are those of settle; all slots have the same end before
-- and after.
CREATE FUNCTION "${flyway:defaultSchema}".settle_group(
    p_group_id uuid,
    p_tenant_prefix text,
    p_action text,
    p_owner text,
    p_time_to_live interval,
    p_time_max interval,
    p_events boolean,
    OUT o_outcome text,
    OUT o_seats integer,
    OUT o_expires_at timestamptz
)
LANGUAGE plpgsql
VOLATILE
SET lock_timeout = '2s'
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    v_began timestamptz := clock_timestamp();
    v_now timestamptz;
    v_keys text[];
    v_key text;
    v_hold record;
    v_event bigint;
BEGIN
    SELECT g.pool_keys INTO v_keys
      FROM "${flyway:defaultSchema}".hold_group g
     WHERE g.group_id = p_group_id AND starts_with(g.pool_keys[1], p_tenant_prefix);
    IF NOT FOUND THEN
        o_outcome := 'NOT_FOUND';
        RETURN;
    END IF;
    o_seats := cardinality(v_keys);
    LOOP -- twice at most: once reading, once under the locks
        -- The slots of a group are in the same state, so the first one stands for all.
        SELECT a.state, a.owner, a.request_id, a.expires_at, a.decided_at INTO v_hold
          FROM "${flyway:defaultSchema}".reservation_attempt a
         WHERE a.pool_key = v_keys[1] AND a.reservation_id = p_group_id;
        o_expires_at := v_hold.expires_at;
        o_outcome := "${flyway:defaultSchema}".settlement_outcome(
            p_action, v_hold.state, v_hold.owner = p_owner, true, v_hold.expires_at, v_now);
        EXIT WHEN o_outcome IS NOT NULL OR v_now IS NOT NULL;
        FOREACH v_key IN ARRAY v_keys LOOP
            IF clock_timestamp() > v_began + interval '2 s' THEN
                RAISE EXCEPTION 'The slots of a group were not locked in time' USING ERRCODE = 'lock_not_available';
            END IF;
            PERFORM "${flyway:defaultSchema}".lock_pool(v_key, NULL, true, p_events);
        END LOOP;
        v_now := clock_timestamp();
    END LOOP;
    IF o_outcome IS NULL AND p_action = 'EXTEND' THEN
        o_expires_at := "${flyway:defaultSchema}".extended_end(
            v_hold.expires_at, v_hold.decided_at, v_now, p_time_to_live, p_time_max);
        IF o_expires_at IS NULL THEN
            o_outcome := 'TOO_LONG';
            o_expires_at := v_hold.expires_at;
        END IF;
    END IF;
    IF o_outcome IS NOT NULL THEN
        IF o_outcome = 'DONE' THEN
            PERFORM pg_logical_emit_message(true, 'seatfast', '')
              WHERE current_setting('synchronous_standby_names') <> '';
        END IF;
        RETURN;
    END IF;

    o_outcome := 'DONE';
    FOREACH v_key IN ARRAY v_keys LOOP
        UPDATE "${flyway:defaultSchema}".seat_pool p
           SET reserved = p.reserved - CASE WHEN p_action = 'CANCEL' THEN 1 ELSE 0 END,
               confirmed_seats = p.confirmed_seats + CASE
                   WHEN p_action = 'CONFIRM' THEN 1
                   WHEN p_action = 'CANCEL' AND v_hold.state = 'CONFIRMED' THEN -1
                   ELSE 0 END,
               confirmed_requests = p.confirmed_requests + CASE
                   WHEN p_action = 'CONFIRM' THEN 1
                   WHEN p_action = 'CANCEL' AND v_hold.state = 'CONFIRMED' THEN -1
                   ELSE 0 END,
               events = p.events + CASE WHEN p_events THEN 1 ELSE 0 END
         WHERE p.pool_key = v_key
        RETURNING p.events INTO v_event;
        PERFORM "${flyway:defaultSchema}".change_hold(
            v_key, p_action, a.request_id, a.owner, a.generation, o_expires_at, v_now,
            CASE WHEN p_events THEN v_event END)
          FROM "${flyway:defaultSchema}".reservation_attempt a
         WHERE a.pool_key = v_key AND a.reservation_id = p_group_id;
    END LOOP;
END
$$;

-- Gives the next positions to events that have none yet, at most p_limit of them, a pool's events in
-- their order. Returns the last position that was given so far, and whether all have one now.
CREATE FUNCTION "${flyway:defaultSchema}".position_events(
    p_limit integer,
    OUT o_last bigint,
    OUT o_all boolean
)
LANGUAGE plpgsql
VOLATILE
SET lock_timeout = '2s'
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
DECLARE
    v_placed integer;
BEGIN
    -- One reader at a time. The next statement sees all that was committed before it had the lock.
    SELECT h.last INTO o_last
      FROM "${flyway:defaultSchema}".event_position h WHERE h.stream = 'pools' FOR UPDATE;
    UPDATE "${flyway:defaultSchema}".pool_event e
       SET position = o_last + w.ordinal
      FROM (SELECT n.pool_key, n.number, row_number() OVER (ORDER BY n.pool_key, n.number) AS ordinal
              FROM (SELECT u.pool_key, u.number
                      FROM "${flyway:defaultSchema}".pool_event u
                     WHERE u.position IS NULL
                     ORDER BY u.pool_key, u.number
                     LIMIT p_limit) n) w
     WHERE e.pool_key = w.pool_key AND e.number = w.number;
    GET DIAGNOSTICS v_placed = ROW_COUNT;
    IF v_placed > 0 THEN
        UPDATE "${flyway:defaultSchema}".event_position h
           SET last = h.last + v_placed WHERE h.stream = 'pools';
    END IF;
    o_last := o_last + v_placed;
    o_all := v_placed < p_limit;
END
$$;

-- Sets when seats of a pool may be taken, and makes the pool if it does not exist. Decisions and
-- holds that were made stay as they are. Under the pool's lock, so that once it is committed no
-- transaction goes on by the times of before. Returns those.
CREATE FUNCTION "${flyway:defaultSchema}".set_opening(
    p_pool_key text,
    p_default_capacity integer,
    p_opens_at timestamptz,
    p_closes_at timestamptz,
    p_paused boolean,
    p_events boolean,
    OUT o_opens_at timestamptz,
    OUT o_closes_at timestamptz,
    OUT o_paused boolean
) RETURNS record
LANGUAGE plpgsql
VOLATILE
SET lock_timeout = '2s'
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
BEGIN
    -- Here instead of in a CHECK, which every decision would pay for.
    IF p_opens_at >= p_closes_at THEN
        RAISE EXCEPTION 'A pool must open before it closes' USING ERRCODE = 'check_violation';
    END IF;
    PERFORM "${flyway:defaultSchema}".lock_pool(p_pool_key, p_default_capacity, true, p_events);
    SELECT p.opens_at, p.closes_at, p.paused INTO o_opens_at, o_closes_at, o_paused
      FROM "${flyway:defaultSchema}".seat_pool p WHERE p.pool_key = p_pool_key;
    UPDATE "${flyway:defaultSchema}".seat_pool p
       SET opens_at = p_opens_at, closes_at = p_closes_at, paused = p_paused
     WHERE p.pool_key = p_pool_key;
END
$$;

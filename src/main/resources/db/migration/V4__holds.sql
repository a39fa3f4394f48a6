-- Holds seats of one pool, request by request in the order of the arrays. What comes back for each:
--   HELD      the hold, new or standing (o_replayed) since an earlier request with the same id by
--             the same owner; a confirmed one stands for ever
--   REFUSED   no room, or the id is somebody else's, or that of another kind of request
-- A refusal leaves nothing behind: the same request may succeed later. Under the id of a hold that
-- ended without a confirmation a new one may be made; its row is the next generation.
--
-- p_expires_at, if given, takes the place of a time to live from now. The locking policy is that of
-- the function reserve: standing holds and refusals only read.
CREATE FUNCTION ${flyway:defaultSchema}.hold(
    p_pool_key text,
    p_default_capacity integer,
    p_request_ids text[],
    p_owners text[],
    p_seats integer[],
    p_reservation_ids uuid[],
    p_grouped boolean,
    p_time_to_live interval,
    p_expires_at timestamptz,
    p_events boolean
) RETURNS TABLE (
    o_outcome text,
    o_reservation_id uuid,
    o_seats integer,
    o_expires_at timestamptz,
    o_replayed boolean,
    o_capacity integer,
    o_reserved integer
)
LANGUAGE plpgsql
VOLATILE
SET lock_timeout = '2s'
AS $$
DECLARE
    v_last record;
    v_locked boolean := false;
    v_pool_exists boolean;
    v_now timestamptz := clock_timestamp();
    v_generation integer;
    v_expired_seats integer;
BEGIN
    FOR i IN 1 .. cardinality(p_request_ids) LOOP
        LOOP -- twice at most: once reading, once under the lock
            SELECT p.capacity, p.reserved,
                   (SELECT coalesce(sum(h.seats), 0)
                      FROM ${flyway:defaultSchema}.reservation_attempt h
                     WHERE h.pool_key = p_pool_key AND h.state = 'HELD' AND h.expires_at <= v_now)
              INTO o_capacity, o_reserved, v_expired_seats
              FROM ${flyway:defaultSchema}.seat_pool p WHERE p.pool_key = p_pool_key;
            v_pool_exists := FOUND;
            o_capacity := coalesce(o_capacity, p_default_capacity);
            o_reserved := coalesce(o_reserved - v_expired_seats, 0);
            o_outcome := 'REFUSED';
            o_reservation_id := NULL;
            o_expires_at := NULL;
            o_replayed := false;
            o_seats := p_seats[i];

            SELECT a.generation, a.state, a.seats, a.reservation_id, a.owner, a.expires_at, a.grouped
              INTO v_last
              FROM ${flyway:defaultSchema}.reservation_attempt a
             WHERE a.pool_key = p_pool_key AND a.request_id = p_request_ids[i]
             ORDER BY a.generation DESC
             LIMIT 1;
            v_generation := coalesce(v_last.generation + 1, 0);
            IF FOUND THEN
                IF v_last.owner IS DISTINCT FROM p_owners[i] OR v_last.grouped <> p_grouped THEN
                    EXIT;
                END IF;
                IF v_last.state = 'CONFIRMED' OR (v_last.state = 'HELD' AND v_last.expires_at > v_now) THEN
                    o_outcome := 'HELD';
                    o_reservation_id := v_last.reservation_id;
                    o_seats := v_last.seats;
                    o_expires_at := v_last.expires_at;
                    o_replayed := true;
                    EXIT;
                END IF;
            END IF;

            IF v_locked THEN
                IF v_expired_seats > 0 THEN
                    PERFORM ${flyway:defaultSchema}.expire_holds(p_pool_key, v_now, 2000, p_events);
                END IF;
                IF o_reserved + p_seats[i] <= o_capacity THEN
                    o_outcome := 'HELD';
                    o_reservation_id := p_reservation_ids[i];
                    o_expires_at := coalesce(p_expires_at, date_trunc('milliseconds', v_now + p_time_to_live));
                    o_reserved := o_reserved + p_seats[i];
                    INSERT INTO ${flyway:defaultSchema}.reservation_attempt
                        (pool_key, request_id, generation, seats, state, reservation_id, owner,
                         expires_at, grouped, decided_at)
                    VALUES (p_pool_key, p_request_ids[i], v_generation, p_seats[i], 'HELD',
                            o_reservation_id, p_owners[i], o_expires_at, p_grouped, v_now);
                    UPDATE ${flyway:defaultSchema}.seat_pool p
                       SET reserved = p.reserved + p_seats[i],
                           events = p.events + CASE WHEN p_events THEN 1 ELSE 0 END
                     WHERE p.pool_key = p_pool_key;
                    IF p_events THEN
                        INSERT INTO ${flyway:defaultSchema}.pool_event
                            (pool_key, number, kind, request_id, reservation_id, seats, expires_at, occurred_at)
                        SELECT p.pool_key, p.events, 'HELD', p_request_ids[i], o_reservation_id,
                               p_seats[i], o_expires_at, v_now
                          FROM ${flyway:defaultSchema}.seat_pool p WHERE p.pool_key = p_pool_key;
                    END IF;
                END IF;
                EXIT;
            END IF;

            EXIT WHEN o_reserved + p_seats[i] > o_capacity;
            IF NOT v_pool_exists THEN
                INSERT INTO ${flyway:defaultSchema}.seat_pool (pool_key, capacity)
                VALUES (p_pool_key, p_default_capacity)
                ON CONFLICT (pool_key) DO NOTHING;
            END IF;
            PERFORM FROM ${flyway:defaultSchema}.seat_pool p WHERE p.pool_key = p_pool_key FOR UPDATE;
            v_locked := true;
            v_now := clock_timestamp();
        END LOOP;
        RETURN NEXT;
    END LOOP;
END
$$;

-- Confirms, cancels or extends holds of one pool, one by one in the order of the arrays. What comes
-- back for each, with the hold as it is then:
--   DONE            it is so, or was so already
--   NOT_FOUND       this pool has no such reservation
--   NOT_OWNER       somebody else's
--   PART_OF_GROUP   it stands and falls with others (or, for a group's caller, it does not)
--   EXPIRED         its time has passed
--   CANCELLED       it was cancelled
--   CONFIRMED       it was confirmed, so there is nothing to extend
--   TOO_LONG        it can't be extended any further
-- Extending sets the end to a time to live from now, but never past p_time_max after the beginning,
-- and never to an earlier end than it has.
--
-- Only a change takes the pool's lock; all other answers only read, since what ended, ended for
-- ever, and an owner never changes.
CREATE FUNCTION ${flyway:defaultSchema}.settle(
    p_pool_key text,
    p_action text,
    p_reservation_ids uuid[],
    p_owners text[],
    p_grouped boolean,
    p_time_to_live interval,
    p_time_max interval,
    p_events boolean
) RETURNS TABLE (
    o_outcome text,
    o_expires_at timestamptz
)
LANGUAGE plpgsql
VOLATILE
SET lock_timeout = '2s'
AS $$
DECLARE
    v_hold record;
    v_locked boolean := false;
    v_now timestamptz := clock_timestamp();
    v_latest timestamptz;
    v_state text;
    v_freed integer;
    v_confirmed integer;
BEGIN
    FOR i IN 1 .. cardinality(p_reservation_ids) LOOP
        LOOP -- twice at most: once reading, once under the lock
            SELECT a.request_id, a.generation, a.state, a.seats, a.owner, a.expires_at, a.decided_at, a.grouped
              INTO v_hold
              FROM ${flyway:defaultSchema}.reservation_attempt a
             WHERE a.pool_key = p_pool_key AND a.reservation_id = p_reservation_ids[i];
            o_expires_at := v_hold.expires_at;
            o_outcome := CASE
                WHEN v_hold.owner IS NULL THEN 'NOT_FOUND'
                WHEN v_hold.owner <> p_owners[i] THEN 'NOT_OWNER'
                WHEN v_hold.grouped <> p_grouped THEN 'PART_OF_GROUP'
                WHEN v_hold.state = 'CANCELLED' AND p_action = 'CANCEL' THEN 'DONE'
                WHEN v_hold.state = 'CONFIRMED' AND p_action = 'CONFIRM' THEN 'DONE'
                WHEN v_hold.state = 'CONFIRMED' AND p_action = 'EXTEND' THEN 'CONFIRMED'
                WHEN v_hold.state = 'CANCELLED' THEN 'CANCELLED'
                WHEN v_hold.state = 'EXPIRED' THEN 'EXPIRED'
                WHEN v_hold.state = 'HELD' AND v_hold.expires_at <= v_now THEN 'EXPIRED'
            END;
            EXIT WHEN o_outcome IS NOT NULL;
            EXIT WHEN v_locked;
            PERFORM FROM ${flyway:defaultSchema}.seat_pool p WHERE p.pool_key = p_pool_key FOR UPDATE;
            v_locked := true;
            v_now := clock_timestamp();
        END LOOP;

        IF o_outcome IS NULL AND p_action = 'EXTEND' THEN
            v_latest := date_trunc('milliseconds', v_hold.decided_at + p_time_max);
            IF v_hold.expires_at >= v_latest THEN
                o_outcome := 'TOO_LONG';
            ELSE
                o_expires_at := greatest(v_hold.expires_at,
                    least(v_latest, date_trunc('milliseconds', v_now + p_time_to_live)));
            END IF;
        END IF;

        IF o_outcome IS NULL THEN
            o_outcome := 'DONE';
            v_state := CASE p_action WHEN 'CONFIRM' THEN 'CONFIRMED' WHEN 'CANCEL' THEN 'CANCELLED' ELSE 'HELD' END;
            v_freed := CASE p_action WHEN 'CANCEL' THEN v_hold.seats ELSE 0 END;
            v_confirmed := CASE
                WHEN p_action = 'CONFIRM' THEN 1
                WHEN p_action = 'CANCEL' AND v_hold.state = 'CONFIRMED' THEN -1
                ELSE 0 END;
            UPDATE ${flyway:defaultSchema}.reservation_attempt a
               SET state = v_state,
                   expires_at = o_expires_at,
                   settled_at = CASE p_action WHEN 'EXTEND' THEN NULL ELSE v_now END
             WHERE a.pool_key = p_pool_key AND a.request_id = v_hold.request_id
               AND a.generation = v_hold.generation;
            IF v_freed > 0 OR v_confirmed <> 0 OR p_events THEN
                UPDATE ${flyway:defaultSchema}.seat_pool p
                   SET reserved = p.reserved - v_freed,
                       confirmed_seats = p.confirmed_seats + v_confirmed * v_hold.seats,
                       confirmed_requests = p.confirmed_requests + v_confirmed,
                       events = p.events + CASE WHEN p_events THEN 1 ELSE 0 END
                 WHERE p.pool_key = p_pool_key;
            END IF;
            IF p_events THEN
                INSERT INTO ${flyway:defaultSchema}.pool_event
                    (pool_key, number, kind, request_id, reservation_id, seats, expires_at, occurred_at)
                SELECT p.pool_key, p.events,
                       CASE p_action WHEN 'EXTEND' THEN 'EXTENDED' ELSE v_state END,
                       v_hold.request_id, p_reservation_ids[i], v_hold.seats, o_expires_at, v_now
                  FROM ${flyway:defaultSchema}.seat_pool p WHERE p.pool_key = p_pool_key;
            END IF;
        END IF;
        RETURN NEXT;
    END LOOP;
END
$$;

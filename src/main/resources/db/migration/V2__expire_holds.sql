-- Ends holds of one pool whose time had passed at p_now, at most p_limit of them, and gives their
-- seats back. The caller has locked the pool's row. Returns the seats that came free.
CREATE FUNCTION ${flyway:defaultSchema}.expire_holds(
    p_pool_key text,
    p_now timestamptz,
    p_limit integer,
    p_events boolean
) RETURNS integer
LANGUAGE plpgsql
VOLATILE
AS $$
DECLARE
    v_seats integer;
    v_count integer;
    v_events bigint;
BEGIN
    SELECT p.events INTO v_events
      FROM ${flyway:defaultSchema}.seat_pool p WHERE p.pool_key = p_pool_key;
    WITH ended AS (
        UPDATE ${flyway:defaultSchema}.reservation_attempt a
           SET state = 'EXPIRED', settled_at = p_now
         WHERE a.pool_key = p_pool_key
           AND (a.request_id, a.generation) IN (
               SELECT h.request_id, h.generation
                 FROM ${flyway:defaultSchema}.reservation_attempt h
                WHERE h.pool_key = p_pool_key AND h.state = 'HELD' AND h.expires_at <= p_now
                ORDER BY h.expires_at
                LIMIT p_limit)
        RETURNING a.request_id, a.reservation_id, a.seats, a.expires_at
    ), recorded AS (
        INSERT INTO ${flyway:defaultSchema}.pool_event
            (pool_key, number, kind, request_id, reservation_id, seats, expires_at, occurred_at)
        SELECT p_pool_key, v_events + row_number() OVER (ORDER BY e.expires_at, e.request_id),
               'EXPIRED', e.request_id, e.reservation_id, e.seats, e.expires_at, p_now
          FROM ended e
         WHERE p_events
    )
    SELECT coalesce(sum(e.seats), 0), count(*) INTO v_seats, v_count FROM ended e;

    IF v_count > 0 THEN
        UPDATE ${flyway:defaultSchema}.seat_pool p
           SET reserved = p.reserved - v_seats,
               events = p.events + CASE WHEN p_events THEN v_count ELSE 0 END
         WHERE p.pool_key = p_pool_key;
    END IF;
    RETURN v_seats;
END
$$;

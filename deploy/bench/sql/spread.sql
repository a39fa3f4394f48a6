-- hot.sql on one of many workshops. The key is in two parts because pgbench would take
-- what follows a colon for a variable, even inside a literal.
\set id random(1, 1000000000000000)
\set number random(1, :universe)
WITH taken AS (
    UPDATE seatfast.seat_pool
       SET reserved = reserved + 1, confirmed_seats = confirmed_seats + 1, confirmed_requests = confirmed_requests + 1
     WHERE pool_key = 'w:' || 'spread-' || :number AND reserved + 1 <= capacity
    RETURNING reserved
)
INSERT INTO seatfast.reservation_attempt (pool_key, request_id, seats, state, reserved_after)
SELECT 'w:' || 'spread-' || :number, 'p' || :client_id || '-' || :id, 1,
       CASE WHEN EXISTS (SELECT FROM taken) THEN 'CONFIRMED' ELSE 'REJECTED' END,
       coalesce((SELECT reserved FROM taken), 0)
RETURNING state, reserved_after;

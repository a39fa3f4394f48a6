-- What a good programmer writes without a function: guard, counter and attempt in one statement.
-- A repeated id would fail on the primary key; pgbench never repeats one.
\set id random(1, 1000000000000000)
WITH taken AS (
    UPDATE seatfast.seat_pool
       SET reserved = reserved + 1, confirmed_seats = confirmed_seats + 1, confirmed_requests = confirmed_requests + 1
     WHERE pool_key = 'w:' || :workshop AND reserved + 1 <= capacity
    RETURNING reserved
)
INSERT INTO seatfast.reservation_attempt (pool_key, request_id, seats, state, reserved_after)
SELECT 'w:' || :workshop, 'p' || :client_id || '-' || :id, 1,
       CASE WHEN EXISTS (SELECT FROM taken) THEN 'CONFIRMED' ELSE 'REJECTED' END,
       coalesce((SELECT reserved FROM taken), 0)
RETURNING state, reserved_after;

-- Spreads a namespace over the nodes of a Citus cluster (11 or newer). A pool and all that belongs to
-- it are then on one node. docs/scaling.md says what works on Citus, what costs more and what does not
-- work.
--
--   psql -v schema=seatfast -f deploy/citus/distribute.sql 'host=coordinator dbname=seatfast'
--
-- Run it on the coordinator, as the owner of the schema, after a migration and with no instance of
-- the service running. After a later migration, run it again: it leaves distributed tables as they are
-- and distributes new ones. Existing rows move along.

\set ON_ERROR_STOP on
\if :{?schema}
\else
  \set schema seatfast
\endif

-- By the pool's key, which every primary key and unique index of these tables begins with. In one
-- group of tables, so that equal keys are on the same node. COLLATE "C" is deterministic, as a
-- distribution column must be.
SELECT create_distributed_table(format('%I.seat_pool', :'schema')::regclass, 'pool_key',
                                colocate_with := 'none')
 WHERE NOT EXISTS (SELECT FROM pg_dist_partition
                    WHERE logicalrelid = format('%I.seat_pool', :'schema')::regclass);

SELECT create_distributed_table(format('%I.reservation_attempt', :'schema')::regclass, 'pool_key',
                                colocate_with := format('%I.seat_pool', :'schema'))
 WHERE NOT EXISTS (SELECT FROM pg_dist_partition
                    WHERE logicalrelid = format('%I.reservation_attempt', :'schema')::regclass);

SELECT create_distributed_table(format('%I.rejection_tally', :'schema')::regclass, 'pool_key',
                                colocate_with := format('%I.seat_pool', :'schema'))
 WHERE NOT EXISTS (SELECT FROM pg_dist_partition
                    WHERE logicalrelid = format('%I.rejection_tally', :'schema')::regclass);

SELECT create_distributed_table(format('%I.pool_event', :'schema')::regclass, 'pool_key',
                                colocate_with := format('%I.seat_pool', :'schema'))
 WHERE NOT EXISTS (SELECT FROM pg_dist_partition
                    WHERE logicalrelid = format('%I.pool_event', :'schema')::regclass);

-- A group belongs to several pools, so it cannot be with each of them. Distributed by its own id, it is
-- one row on one node, and not one on every node.
SELECT create_distributed_table(format('%I.hold_group', :'schema')::regclass, 'group_id',
                                colocate_with := 'none')
 WHERE NOT EXISTS (SELECT FROM pg_dist_partition
                    WHERE logicalrelid = format('%I.hold_group', :'schema')::regclass);

-- One row, joined with the events of every node. Decisions don't touch it.
SELECT create_reference_table(format('%I.event_position', :'schema')::regclass)
 WHERE NOT EXISTS (SELECT FROM pg_dist_partition
                    WHERE logicalrelid = format('%I.event_position', :'schema')::regclass);

-- Credentials, which a request looks up before it reaches its pool, and the audit of operators: of no
-- pool, and few.
SELECT create_reference_table(format('%I.api_token', :'schema')::regclass)
 WHERE NOT EXISTS (SELECT FROM pg_dist_partition
                    WHERE logicalrelid = format('%I.api_token', :'schema')::regclass);

SELECT create_reference_table(format('%I.audit_entry', :'schema')::regclass)
 WHERE NOT EXISTS (SELECT FROM pg_dist_partition
                    WHERE logicalrelid = format('%I.audit_entry', :'schema')::regclass);

-- A call that names one pool then goes as a whole to the node of that pool. force_delegation is off:
-- it would also delegate the calls within a group's transaction, which it is not made for.
-- Citus makes no generic plans for most statements, so the functions must not insist on them.
SELECT create_distributed_function(p.oid::regprocedure, distribution_arg_name := 'p_pool_key',
                                   colocate_with := format('%I.seat_pool', :'schema'))
  FROM pg_proc p
 WHERE p.pronamespace = :'schema'::regnamespace
   AND p.proname IN ('reserve', 'reserve_one', 'hold', 'settle', 'lock_pool', 'expire_holds', 'change_hold', 'tidy_pool',
                     'set_capacity', 'set_opening');

SELECT format('ALTER FUNCTION %s RESET plan_cache_mode', p.oid::regprocedure)
  FROM pg_proc p
 WHERE p.pronamespace = :'schema'::regnamespace
   AND p.proconfig @> '{plan_cache_mode=force_generic_plan}'
\gexec

-- These run where they are called: extended_end, settlement_outcome and shut_reason read no table,
-- hold_group, settle_group and position_events are about several pools. Flyway's table
-- flyway_schema_history stays an ordinary table of the coordinator: only a migration reads it.

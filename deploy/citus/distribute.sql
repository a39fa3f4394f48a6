-- Spreads a namespace over the nodes of a Citus cluster (11 or newer): a pool and all that belongs
-- to it live on one node. docs/scaling.md tells what works then, what costs more and what doesn't.
--
--   psql -v schema=seatfast -f deploy/citus/distribute.sql 'host=coordinator dbname=seatfast'
--
-- Run it on the coordinator, as the owner of the schema, after a migration and with no instance of
-- the service running. Run again after a later migration, it leaves the tables that are distributed
-- as they are and distributes what is new. Rows that are there already move along.

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

-- A group belongs to several pools, so it can live with none of them. By its own id it is at least
-- one row on one node, not one on each.
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

-- A call that names one pool then goes as a whole to the node that has it. Not by force_delegation,
-- which would also send the calls of a group's transaction, under limits that it wasn't made for.
-- Citus makes no generic plans for most statements, so the functions must not insist on them.
SELECT create_distributed_function(p.oid::regprocedure, distribution_arg_name := 'p_pool_key',
                                   colocate_with := format('%I.seat_pool', :'schema'))
  FROM pg_proc p
 WHERE p.pronamespace = :'schema'::regnamespace
   AND p.proname IN ('reserve', 'hold', 'settle', 'lock_pool', 'expire_holds', 'change_hold', 'tidy_pool',
                     'set_capacity');

SELECT format('ALTER FUNCTION %s RESET plan_cache_mode', p.oid::regprocedure)
  FROM pg_proc p
 WHERE p.pronamespace = :'schema'::regnamespace
   AND p.proconfig @> '{plan_cache_mode=force_generic_plan}'
\gexec

-- These run where they are called: extended_end and settlement_outcome read no table, hold_group,
-- settle_group and position_events are about several pools. Flyway's table flyway_schema_history
-- stays an ordinary table of the coordinator: only a migration reads it.

-- Maintenance orders (domain 2.2, FSM M) with the log of what was done.

create sequence maintenance_order_no_seq;

create table maintenance_order (
  id bigint generated always as identity primary key,
  no varchar(24) not null constraint maintenance_order_no_key unique,
  device_id bigint not null references device (id),
  school_device_id bigint references school_device (id),
  school_id bigint references school (id),
  dept_id bigint not null references dept (id),
  -- As the place was called when the order was made.
  place_path text,
  cause varchar(12) not null
    check (cause in ('FAULT', 'LOW_BATTERY', 'OFFLINE', 'TEST_FAILED', 'READINESS', 'MANUAL')),
  priority varchar(6) not null check (priority in ('HIGH', 'NORMAL', 'LOW')),
  state varchar(10) not null default 'OPEN'
    check (state in ('OPEN', 'ASSIGNED', 'ON_SITE', 'DONE', 'VERIFIED', 'REOPENED', 'CANCELLED')),
  description varchar(500),
  assignee_id bigint references users (id),
  due_at timestamptz not null,
  finished_by bigint references users (id),
  finished_at timestamptz,
  result varchar(500),
  parts varchar(500),
  verified_by bigint references users (id),
  verified_at timestamptz,
  reopen_count integer not null default 0,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  constraint maintenance_order_verifier check (verified_by is null or verified_by <> finished_by)
);
comment on table maintenance_order is '维修工单';
-- A device has at most one order with work left per cause, also under concurrent calls.
create unique index maintenance_order_open_key on maintenance_order (device_id, cause)
  where state not in ('VERIFIED', 'CANCELLED');
create index maintenance_order_school on maintenance_order (school_id, due_at);
create index maintenance_order_dept on maintenance_order (dept_id, due_at);
create index maintenance_order_assignee on maintenance_order (assignee_id, due_at) where assignee_id is not null;

create table maintenance_log (
  id bigint generated always as identity primary key,
  order_id bigint not null references maintenance_order (id) on delete cascade,
  at timestamptz not null default now(),
  user_id bigint references users (id),
  verb varchar(10) not null
    check (verb in ('arrive', 'finish', 'verify', 'assign', 'reopen', 'note', 'cancel', 'create')),
  from_state varchar(10)
    check (from_state in ('OPEN', 'ASSIGNED', 'ON_SITE', 'DONE', 'VERIFIED', 'REOPENED', 'CANCELLED')),
  to_state varchar(10) not null
    check (to_state in ('OPEN', 'ASSIGNED', 'ON_SITE', 'DONE', 'VERIFIED', 'REOPENED', 'CANCELLED')),
  assignee_name varchar(64),
  note varchar(500)
);
comment on table maintenance_log is '维修工单日志';
create index maintenance_log_order on maintenance_log (order_id, id);

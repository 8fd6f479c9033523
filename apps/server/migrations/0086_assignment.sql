-- Who is sent to an alarm, and how far he is (domain 2.9, F2).
create table assignment (
  id bigint generated always as identity primary key,
  record_id bigint references warn_record (id),
  school_id bigint references school (id),
  dept_id bigint not null references dept (id),
  responder_user_id bigint references users (id),
  responder_name varchar(64) not null,
  state varchar(10) not null default 'ASSIGNED' check (state in
    ('ASSIGNED', 'RECEIVED', 'EN_ROUTE', 'ON_SCENE', 'CLEARED', 'DECLINED', 'RECALLED', 'TIMED_OUT')),
  by_user_id bigint references users (id),
  note varchar(500),
  decline_reason varchar(10) check (decline_reason in ('BUSY', 'FAR', 'OFF_DUTY', 'UNABLE')),
  on_behalf boolean not null default false,
  assigned_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  received_at timestamptz,
  departed_at timestamptz,
  arrived_at timestamptz,
  ended_at timestamptz,
  support_at timestamptz,
  version integer not null default 1,
  constraint assignment_subject_check check (record_id is not null),
  constraint assignment_responder_check check (responder_user_id is not null)
);
comment on table assignment is '派人任务';
-- Nobody is sent twice to one alarm at the same time.
create unique index assignment_active_key on assignment (record_id, responder_user_id)
  where state in ('ASSIGNED', 'RECEIVED', 'EN_ROUTE', 'ON_SCENE', 'TIMED_OUT');
create index assignment_record on assignment (record_id);
create index assignment_responder on assignment (responder_user_id, assigned_at);

-- Stamps are written once, whatever is sent again or late.
create function keep_assignment_stamps() returns trigger language plpgsql as $$
begin
  new.assigned_at := old.assigned_at;
  new.received_at := coalesce(old.received_at, new.received_at);
  new.departed_at := coalesce(old.departed_at, new.departed_at);
  new.arrived_at := coalesce(old.arrived_at, new.arrived_at);
  new.support_at := coalesce(old.support_at, new.support_at);
  return new;
end $$;
create trigger assignment_stamps before update on assignment
  for each row execute function keep_assignment_stamps();

-- Each step that was applied, by the key that the client made for it; the same key again changes nothing.
create table assignment_step (
  id bigint generated always as identity primary key,
  assignment_id bigint not null references assignment (id) on delete cascade,
  step_key uuid not null,
  verb varchar(10) not null,
  by_user_id bigint not null references users (id),
  at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  constraint assignment_step_key unique (by_user_id, step_key)
);
comment on table assignment_step is '任务步骤';
create index assignment_step_assignment on assignment_step (assignment_id);

-- Who is on duty, until shifts say it.
create table responder_duty (
  user_id bigint primary key references users (id) on delete cascade,
  on_duty boolean not null,
  since timestamptz not null default now()
);
comment on table responder_duty is '人员在岗';

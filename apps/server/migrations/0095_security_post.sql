-- Duty (domain 2.5): posts, the rules for the number of guards, shifts.

create table security_post (
  id bigint generated always as identity primary key,
  school_id bigint references school (id),
  dept_id bigint references dept (id),
  place_id bigint references place (id) on delete set null,
  name varchar(64) not null,
  type varchar(16) not null check (type in ('GATE', 'PATROL', 'SCHOOL_RUN', 'DORM', 'MONITOR_ROOM', 'SEAT')),
  -- Monday is bit 0.
  weekdays integer not null default 127 check (weekdays between 1 and 127),
  -- Minutes of the local day; an end that is not after the beginning is on the next day.
  from_min integer not null check (from_min between 0 and 1439),
  to_min integer not null check (to_min between 0 and 1440),
  headcount integer not null default 1 check (headcount between 1 and 200),
  equipment jsonb not null default '[]',
  check_code text not null constraint security_post_check_code_key unique,
  enabled boolean not null default true,
  remark varchar(200),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  constraint security_post_owner check (num_nonnulls(school_id, dept_id) = 1)
);
comment on table security_post is '岗位';
create index security_post_school on security_post (school_id);
create index security_post_dept on security_post (dept_id) where dept_id is not null;

create table headcount_rule (
  id bigint generated always as identity primary key,
  region varchar(12) not null,
  name varchar(64) not null,
  name_en varchar(64) not null,
  effective_from date not null,
  boarding boolean,
  min_students integer not null check (min_students >= 0),
  headcount integer not null check (headcount >= 0),
  per_students integer check (per_students > 0),
  per_boarders integer check (per_boarders > 0)
);
comment on table headcount_rule is '保安配备标准';
create unique index headcount_rule_step on headcount_rule (region, effective_from, min_students, boarding) nulls not distinct;

-- GB/T 29315-2022; Beijing has a rule of its own (domain 2.5).
insert into headcount_rule (region, name, name_en, effective_from, boarding, min_students, headcount, per_students,
  per_boarders)
values
  ('CN', 'GB/T 29315-2022', 'GB/T 29315-2022', '2022-12-29', false, 0, 1, null, null),
  ('CN', 'GB/T 29315-2022', 'GB/T 29315-2022', '2022-12-29', true, 0, 2, null, null),
  ('CN', 'GB/T 29315-2022', 'GB/T 29315-2022', '2022-12-29', null, 100, 2, null, null),
  ('CN', 'GB/T 29315-2022', 'GB/T 29315-2022', '2022-12-29', null, 1000, 3, 500, null),
  ('110000', '北京市配备标准', 'Rule of Beijing', '2022-12-29', false, 0, 3, null, null),
  ('110000', '北京市配备标准', 'Rule of Beijing', '2022-12-29', true, 0, 4, null, 300),
  ('110000', '北京市配备标准', 'Rule of Beijing', '2022-12-29', false, 1000, 3, 500, null),
  ('110000', '北京市配备标准', 'Rule of Beijing', '2022-12-29', true, 1000, 4, 500, 300);

create table shift (
  id bigint generated always as identity primary key,
  post_id bigint not null references security_post (id),
  school_id bigint references school (id),
  dept_id bigint references dept (id),
  employee_id bigint not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  state varchar(12) not null default 'PLANNED'
    check (state in ('PLANNED', 'CHECKED_IN', 'LATE', 'ABSENT', 'LEFT_EARLY', 'DONE')),
  published_at timestamptz,
  checked_in_at timestamptz,
  check_in_method varchar(8) check (check_in_method in ('HAND', 'QR', 'POSITION')),
  check_in_distance integer,
  check_in_reason text check (char_length(check_in_reason) <= 200),
  checked_out_at timestamptz,
  left_reason text check (char_length(left_reason) <= 200),
  absence_reason text check (char_length(absence_reason) <= 200),
  stand_in_for bigint references shift (id) on delete set null,
  remark varchar(200),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  check (to_at > from_at)
);
comment on table shift is '班次';
create index shift_post on shift (post_id, from_at);
create index shift_school on shift (school_id, from_at);
create index shift_dept on shift (dept_id, from_at) where dept_id is not null;
create index shift_employee on shift (employee_id, from_at);

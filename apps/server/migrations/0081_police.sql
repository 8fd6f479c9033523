-- Police stations, units and incidents (domain 2.5, 2.9).

-- What a department of kind POLICE_STATION has beyond the department.
create table police_station (
  id bigint generated always as identity primary key,
  dept_id bigint not null constraint police_station_dept_key unique references dept (id) on delete cascade,
  duty_phone varchar(20),
  jurisdiction jsonb,
  arrive_urban_min integer default 5 check (arrive_urban_min between 1 and 240),
  arrive_suburban_min integer default 10 check (arrive_suburban_min between 1 and 240),
  arrive_rural_min integer check (arrive_rural_min between 1 and 240),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint
);
comment on table police_station is '派出所';

-- Every station has its row, whichever call made the department.
create function add_police_station() returns trigger language plpgsql as $$
begin
  insert into police_station (dept_id, creator, updater) values (new.id, new.creator, new.updater)
  on conflict do nothing;
  return null;
end $$;
create trigger dept_police_station after insert or update of kind on dept
  for each row when (new.kind = 'POLICE_STATION') execute function add_police_station();
insert into police_station (dept_id) select id from dept where kind = 'POLICE_STATION';

create table police_unit (
  id bigint generated always as identity primary key,
  dept_id bigint not null constraint police_unit_dept_fkey references dept (id),
  name varchar(40) not null,
  type varchar(10) not null check (type in ('CAR', 'FOOT', 'POST', 'AUX')),
  on_duty boolean not null default false,
  on_duty_since timestamptz,
  lng double precision check (lng between -180 and 180),
  lat double precision check (lat between -90 and 90),
  position_at timestamptz,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  constraint police_unit_name_key unique (dept_id, name)
);
comment on table police_unit is '警力';

create table police_unit_member (
  unit_id bigint not null references police_unit (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  primary key (unit_id, user_id)
);
comment on table police_unit_member is '警力成员';
create index police_unit_member_user on police_unit_member (user_id);

create sequence police_situation_no_seq;
create table police_situation (
  id bigint generated always as identity primary key,
  no varchar(20) not null constraint police_situation_no_key unique,
  source varchar(20) not null check (source in ('WARN', 'PHONE_110', 'MANUAL', 'EXTERNAL_CAD', 'PATROL')),
  warn_record_id bigint constraint police_situation_record_key unique references warn_record (id),
  external_no varchar(40),
  mode varchar(10) not null default 'LIVE' check (mode in ('LIVE', 'TEST', 'DRILL')),
  category varchar(30),
  grade integer not null check (grade between 1 and 4),
  school_id bigint references school (id),
  school_name varchar(64),
  place varchar(300),
  lng double precision check (lng between -180 and 180),
  lat double precision check (lat between -90 and 90),
  reporter_name varchar(64),
  reporter_mobile varchar(20),
  station_dept_id bigint constraint police_situation_station_fkey references dept (id),
  summary varchar(1000) not null,
  state varchar(20) not null default 'RECEIVED' check (state in ('RECEIVED', 'DISPATCHED', 'IN_PROGRESS', 'FED_BACK',
    'CLOSED', 'ARCHIVED', 'REJECTED', 'TRANSFERRED', 'MERGED', 'CANCELLED')),
  owner_id bigint constraint police_situation_owner_fkey references users (id),
  disposition varchar(30) check (disposition in ('RESOLVED_ON_SCENE', 'MEDIATED', 'ADMINISTRATIVE_CASE',
    'CRIMINAL_CASE', 'HELPED', 'HANDED_OVER', 'NOTHING_FOUND', 'FALSE_REPORT')),
  result varchar(500),
  reason varchar(200),
  linked_id bigint references police_situation (id),
  merged_into_id bigint references police_situation (id),
  received_at timestamptz not null default now(),
  claimed_at timestamptz,
  dispatched_at timestamptz,
  signed_at timestamptz,
  departed_at timestamptz,
  arrived_at timestamptz,
  fed_back_at timestamptz,
  closed_at timestamptz,
  archived_at timestamptz,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  check (id <> merged_into_id)
);
comment on table police_situation is '警单';
create index police_situation_received on police_situation (received_at desc, id desc);
create index police_situation_open on police_situation (station_dept_id)
  where state in ('RECEIVED', 'DISPATCHED', 'IN_PROGRESS', 'FED_BACK');
create index police_situation_school on police_situation (school_id);
create index police_situation_merged on police_situation (merged_into_id) where merged_into_id is not null;

-- The timeline of an incident; the server may only append.
create table police_situation_log (
  id bigint generated always as identity primary key,
  situation_id bigint not null references police_situation (id),
  at timestamptz not null default clock_timestamp(),
  verb varchar(20) not null,
  actor_id bigint constraint police_situation_log_actor_fkey references users (id),
  actor_name varchar(64),
  from_state varchar(20) check (from_state in ('RECEIVED', 'DISPATCHED', 'IN_PROGRESS', 'FED_BACK',
    'CLOSED', 'ARCHIVED', 'REJECTED', 'TRANSFERRED', 'MERGED', 'CANCELLED')),
  to_state varchar(20) check (to_state in ('RECEIVED', 'DISPATCHED', 'IN_PROGRESS', 'FED_BACK',
    'CLOSED', 'ARCHIVED', 'REJECTED', 'TRANSFERRED', 'MERGED', 'CANCELLED')),
  unit_name varchar(40),
  text varchar(1000),
  file_ids bigint[] not null default '{}'
);
comment on table police_situation_log is '警单日志';
create index police_situation_log_situation on police_situation_log (situation_id, id);

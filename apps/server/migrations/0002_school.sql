-- Schools and the places in them (domain: organisation and places).

create table school (
  id bigint generated always as identity primary key,
  dept_id bigint not null constraint school_dept_key unique references dept (id),
  police_dept_id bigint references dept (id),
  code varchar(32) not null constraint school_code_key unique,
  name varchar(64) not null constraint school_name_key unique,
  stage varchar(20) not null check (stage in
    ('KINDERGARTEN', 'PRIMARY', 'JUNIOR', 'SENIOR', 'VOCATIONAL', 'SPECIAL', 'UNIVERSITY')),
  area_type varchar(10) not null check (area_type in ('URBAN', 'SUBURBAN', 'RURAL')),
  boarding boolean not null default false,
  student_count integer not null default 0 check (student_count between 0 and 1000000),
  boarder_count integer not null default 0 check (boarder_count between 0 and 1000000),
  staff_count integer not null default 0 check (staff_count between 0 and 100000),
  address varchar(200),
  lng double precision check (lng between -180 and 180),
  lat double precision check (lat between -90 and 90),
  duty_phone varchar(20),
  status varchar(10) not null default 'PREPARING' check (status in ('PREPARING', 'ACTIVE', 'SUSPENDED', 'CLOSED')),
  readiness integer check (readiness between 0 and 100),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  check ((lng is null) = (lat is null))
);
create index school_police_dept on school (police_dept_id);

create table place (
  id bigint generated always as identity primary key,
  school_id bigint not null references school (id),
  parent_id bigint references place (id),
  kind varchar(10) not null check (kind in ('CAMPUS', 'BUILDING', 'FLOOR', 'ROOM', 'ZONE', 'GATE', 'OUTDOOR')),
  name varchar(64) not null,
  code varchar(32),
  floor_no integer check (floor_no between -10 and 200),
  lng double precision check (lng between -180 and 180),
  lat double precision check (lat between -90 and 90),
  sensitivity varchar(10) not null default 'NORMAL' check (sensitivity in ('NORMAL', 'PRIVATE')),
  key_part boolean not null default false,
  access_notes varchar(500),
  sort integer not null default 0,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  constraint place_name_key unique nulls not distinct (school_id, parent_id, name)
);
create index place_parent on place (parent_id);

-- Floor plans: pictures of floors by edition, one of them published. Outlines lie in place.polygon, pins in school_device.

create table floor_plan (
  id bigint generated always as identity primary key,
  school_id bigint not null references school (id),
  place_id bigint not null references place (id) on delete cascade,
  file_id bigint not null constraint floor_plan_file_fkey references file (id),
  number integer not null check (number >= 1),
  width integer not null check (width >= 1),
  height integer not null check (height >= 1),
  metres_per_pixel double precision check (metres_per_pixel between 0.0001 and 10),
  north double precision check (north between 0 and 360),
  published_at timestamptz,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  constraint floor_plan_number_key unique (place_id, number)
);
create unique index floor_plan_published on floor_plan (place_id) where published_at is not null;
create index floor_plan_school on floor_plan (school_id);
create index floor_plan_file on floor_plan (file_id);
comment on table floor_plan is '平面图';

-- The weights of readiness are published versions. The first one has the number and the points that were in the code.
create table readiness_weights (
  version integer primary key check (version > 0),
  weights jsonb not null,
  note varchar(200),
  by_id bigint,
  at timestamptz not null default now()
);
comment on table readiness_weights is '就绪度权重版本';
insert into readiness_weights (version, weights) values (3, '{
  "OFFLINE": [{"over": 0, "points": 40}],
  "PRESS": [{"over": 180, "points": 30}, {"over": 92, "points": 20}],
  "STATION": [{"over": 0, "points": 25}],
  "RECIPIENT": [{"over": 0, "points": 25}],
  "BATTERY": [{"over": 90, "points": 25}, {"over": 80, "points": 15}],
  "BATTERY_AHEAD": [{"over": 23, "points": 10}, {"over": 0, "points": 5}],
  "HEARTBEAT": [{"over": 20, "points": 15}, {"over": 5, "points": 8}, {"over": 1, "points": 3}],
  "FLAPPING": [{"over": 0, "points": 10}],
  "SHIFT": [{"over": 0, "points": 10}],
  "SHIFT_AHEAD": [{"over": 0, "points": 5}],
  "CLOCK": [{"over": 60, "points": 10}, {"over": 5, "points": 5}],
  "PLACE": [{"over": 0, "points": 5}],
  "FIRMWARE": [{"over": 0, "points": 5}],
  "PROCEDURE": [{"over": 0, "points": 5}]
}');

alter table school_readiness add column weights_version integer not null default 3;
-- Unknown of earlier days.
alter table school_readiness_day add column weights_version integer;

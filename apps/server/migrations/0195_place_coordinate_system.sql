-- Positions are stored in CGCS2000; this is the system in which each was taken.
alter table place add coordinate_system varchar(8) not null default 'CGCS2000'
  check (coordinate_system in ('CGCS2000', 'GCJ02', 'BD09', 'WGS84'));
comment on column place.coordinate_system is '坐标来源';

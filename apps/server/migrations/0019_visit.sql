-- How often signed-in people opened the console, by the hour. An address is kept as a keyed hash, which tells one from
-- another and nothing else. Whoever is deleted later was here all the same: no foreign keys.
create table visit (
  day date not null,
  hour integer not null check (hour between 0 and 23),
  user_id bigint not null,
  dept_id bigint not null,
  ip_hash bytea not null check (length(ip_hash) = 32),
  views integer not null default 1 check (views > 0),
  primary key (day, hour, user_id, ip_hash)
);

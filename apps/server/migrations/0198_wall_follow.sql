-- Which desk a wall follows: at most one, while its session lasts and its page renews the row.
create table wall_follow (
  link_id bigint primary key references wall_link (id) on delete cascade,
  session_id bigint not null references session (id) on delete cascade,
  record_id bigint,
  shown_at timestamptz not null default now()
);
comment on table wall_follow is '大屏跟随';
create index wall_follow_session on wall_follow (session_id);

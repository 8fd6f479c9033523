-- When a reader of the tracks of an incident was last written into the operation log, as in track_view (decision 048).
create table situation_track_view (
  situation_id bigint not null references police_situation (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  audited_at timestamptz not null,
  primary key (situation_id, user_id)
);
comment on table situation_track_view is '警单轨迹查看';
create index situation_track_view_user on situation_track_view (user_id);

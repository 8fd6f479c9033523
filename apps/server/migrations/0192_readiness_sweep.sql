-- A full computation runs in slices of schools, so that changed facts need not wait for it.
alter table readiness_cursor
  add column swept_to bigint,
  add column sweep_again boolean not null default false;
comment on column readiness_cursor.swept_to is '全量计算已完成到的学校编号；空表示未在进行';
comment on column readiness_cursor.sweep_again is '本轮全量计算结束后立即再算一轮';

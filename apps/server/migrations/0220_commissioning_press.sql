-- The press that an installation expects before it is accepted has a record of its own, which does not ring (decision 067).
alter table warn_record add column commissioning boolean not null default false;
comment on column warn_record.commissioning is '安装调试时的预期按键：不响铃，随验收或拆除结束';
create index warn_record_commissioning on warn_record (device_id) where commissioning;

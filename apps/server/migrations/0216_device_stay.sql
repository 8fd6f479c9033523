-- What was said and asked of a device belongs to the school that held it then. No reference: a school may be deleted.
alter table device_command add column school_id bigint, add column end_reason varchar(20)
  check (end_reason in ('MOVED', 'REMOVED', 'LOST', 'RETIRED'));
comment on column device_command.school_id is '下发时设备所属学校';
comment on column device_command.end_reason is '命令因何终止';
alter table device_log add column school_id bigint;
comment on column device_log.school_id is '操作时设备所属学校';

update device_command set school_id = site.school_id from school_device as site
where site.device_id = device_command.device_id and site.valid_from <= device_command.created_at
  and (site.valid_to is null or site.valid_to >= device_command.created_at);
update device_log set school_id = site.school_id from school_device as site
where site.device_id = device_log.device_id and site.valid_from <= device_log.at
  and (site.valid_to is null or site.valid_to >= device_log.at);

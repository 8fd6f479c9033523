-- Commands that wait end with a change of the gateway of their device as well.
alter table device_command drop constraint device_command_end_reason_check,
  add constraint device_command_end_reason_check
    check (end_reason in ('MOVED', 'REMOVED', 'LOST', 'RETIRED', 'GATEWAY_CHANGED'));

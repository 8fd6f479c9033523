-- A command that has reached its device (FSM J, domain 2.12): the state between sent and accepted.
alter table device_command add column delivered_at timestamptz;
comment on column device_command.delivered_at is '送达设备的时间';

-- Its outbox row is deleted when the device received the message, unless the row expired. Whoever withdraws a command
-- marks it as cancelled first: the device never gets it.
create function note_command_delivered() returns trigger language plpgsql as $$
begin
  update device_command set sent_at = coalesce(sent_at, now()), delivered_at = now()
  where command_id = old.key and state <> 'CANCELLED' and delivered_at is null;
  return null;
end $$;
drop trigger device_outbox_command_gone on device_outbox;
create trigger device_outbox_command_gone after delete on device_outbox
  for each row when (old.channel = 'cmd' and (old.expires_at is null or old.expires_at > now()))
  execute function note_command_delivered();
create trigger device_outbox_command_expired after delete on device_outbox
  for each row when (old.channel = 'cmd' and old.sent_at is not null and old.expires_at <= now())
  execute function note_command_sent();

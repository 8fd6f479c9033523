-- The server knows which secret a device proved last, so that a rotation never ends it early.
alter table device_credential add column last_used_at timestamptz;
comment on column device_credential.last_used_at is '设备首次或换回使用该密钥的时间';

-- A device that was heard and has one secret uses that one.
update device_credential set last_used_at = state.last_seen_at
from device_state as state
where state.device_id = device_credential.device_id and state.last_seen_at is not null
  and not exists (
    select from device_credential as other
    where other.device_id = device_credential.device_id and other.id <> device_credential.id
  );

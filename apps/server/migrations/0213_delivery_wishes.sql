-- Channels that a person did not register, or registered with quiet hours, are skipped for reasons of their own.
alter table delivery drop constraint delivery_reason_check;
alter table delivery add constraint delivery_reason_check check (reason in ('NO_RECIPIENT', 'NO_ADDRESS',
  'NOT_CONFIGURED', 'CLAIMED', 'RECEIVED', 'ENDED', 'REVOKED', 'RECIPIENT_DISABLED', 'SUPERSEDED', 'QUIET_HOURS',
  'NOT_CHOSEN'));

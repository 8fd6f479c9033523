-- Whether the clock of the device was known when it sent the signal. Without that a press that is sent again may be older
-- than it says, and proves no button. Unknown for signals that were stored before.
alter table signal add column time_proven boolean;
comment on column signal.time_proven is '发生时间是否由已知的设备时钟证明';

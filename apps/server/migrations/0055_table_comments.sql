-- What the tables of the business are called, where the code generator lists them.
comment on table school is '学校';
comment on table place is '场所';
comment on table device is '设备';
comment on table device_model is '设备型号';
comment on table school_device is '学校设备';
comment on table warn_record is '预警记录';
comment on table warn_rule is '预警规则';
comment on table notice is '通知';
comment on table dict_type is '字典类型';
comment on table dict_data is '字典数据';
comment on table demo_item is '示例';

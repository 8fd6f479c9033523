/** Usual causes, offered beside free codes: code, Chinese, English. */
export const causes = [
  ['MISTOUCH', '误触按钮', 'Pressed by mistake'],
  ['PRANK', '恶作剧', 'Prank'],
  ['TRAINING', '培训或测试', 'Training or test'],
  ['DEVICE_FAULT', '设备故障', 'Device fault'],
  ['NOISE', '环境噪声', 'Ambient noise'],
  ['INJURY', '受伤或疾病', 'Injury or illness'],
  ['FIGHT', '打架斗殴', 'Fight'],
  ['INTRUDER', '外来人员', 'Intruder'],
  ['CONFLICT', '纠纷冲突', 'Dispute'],
] as const

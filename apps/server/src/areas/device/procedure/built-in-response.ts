import type { BuiltInProcedure } from '@tocsin/contract/device/procedure/procedure'
import type { WarnClass } from '@tocsin/contract/alarm-class'
import { builtInStep as step } from './built-in-step.ts'

const plan = (
  warnClass: WarnClass,
  [name, nameEn]: readonly [zh: string, en: string],
  steps: BuiltInProcedure['steps'],
): BuiltInProcedure => ({
  key: `response-${warnClass.toLowerCase()}`,
  kind: 'RESPONSE',
  name,
  nameEn,
  class: warnClass,
  levels: [],
  placeKinds: [],
  fromMin: null,
  toMin: null,
  work: null,
  steps,
})

/** One plan for each class of alarm; a copy applies to every level and kind of place until it is narrowed. */
export const builtInResponses: readonly BuiltInProcedure[] = [
  plan(
    'PANIC',
    ['紧急报警处置预案', 'Panic alarm'],
    [
      step('OPERATOR', ['看平面图和附近摄像机，确认位置', 'Confirm the place on the plan and the nearest cameras'], {
        targetSec: 10,
      }),
      step('OPERATOR', ['拨打保卫室电话，说明位置', 'Call the guard room and name the place'], {
        targetSec: 20,
        action: 'CALL',
        callee: 'DUTY_PHONE',
        mandatory: true,
      }),
      step('OPERATOR', ['派最近的保安到场，两人同行', 'Send the nearest guards, two together'], {
        targetSec: 30,
        action: 'MESSAGE',
      }),
      step('GUARD', ['到场后先隔开双方，保护学生', 'On arrival separate those involved and protect pupils'], {
        targetSec: 120,
        mandatory: true,
      }),
      step(
        'SAFETY_OFFICER',
        ['有人受伤时拨打 120 并派人到校门接车', 'If somebody is hurt, call 120 and meet the ambulance at the gate'],
        {
          targetSec: 180,
          action: 'CALL',
          callee: 'AMBULANCE',
        },
      ),
      step('GUARD', ['在设备上手动复位', 'Reset the button by hand'], { targetSec: 600 }),
      step(
        'SAFETY_OFFICER',
        ['通知班主任和家长，记录经过', 'Inform the form teacher and parents, record what happened'],
        {
          targetSec: 1800,
        },
      ),
    ],
  ),
  plan(
    'VOICE',
    ['语音告警处置预案', 'Voice alarm'],
    [
      step('OPERATOR', ['回听录音，判断是否求救', 'Listen to the recording: is it a call for help?'], {
        targetSec: 30,
        mandatory: true,
      }),
      step('OPERATOR', ['派附近教师或保安查看', 'Send a teacher or guard who is near'], {
        targetSec: 60,
        action: 'MESSAGE',
      }),
      step('TEACHER', ['到场了解情况，稳定学生情绪', 'Find out what happened on the spot and calm the pupils'], {
        targetSec: 240,
      }),
      step(
        'SAFETY_OFFICER',
        ['判断是否属于欺凌，需要时转欺凌线索', 'Decide whether it is bullying; open a case if so'],
        {
          targetSec: 1800,
        },
      ),
    ],
  ),
  plan(
    'BULLY',
    ['校园欺凌处置预案', 'Bullying'],
    [
      step('OPERATOR', ['派最近的教师到场，不让学生独自等待', 'Send the nearest teacher; do not leave pupils alone'], {
        targetSec: 60,
        action: 'MESSAGE',
        mandatory: true,
      }),
      step('TEACHER', ['分开当事学生，分别带到安静的房间', 'Separate the pupils and take each to a quiet room'], {
        targetSec: 180,
      }),
      step(
        'SAFETY_OFFICER',
        ['保护受害学生的隐私，只告知必要的人', 'Protect the privacy of the victim; inform only those who must know'],
        {
          targetSec: 600,
          mandatory: true,
        },
      ),
      step('SAFETY_OFFICER', ['当天通知双方家长', 'Inform the parents of both sides on the same day'], {
        targetSec: 7200,
      }),
      step('SAFETY_OFFICER', ['保存录音、录像和照片', 'Secure recordings, videos and photos'], { targetSec: 3600 }),
    ],
  ),
  plan(
    'INTRUSION',
    ['非法闯入处置预案', 'Intrusion'],
    [
      step('OPERATOR', ['看摄像机，说清人数、衣着和方向', 'Look at the cameras: how many, clothing, direction'], {
        targetSec: 20,
      }),
      step('OPERATOR', ['通知保卫室关闭出入口', 'Have the guard room close the gates'], {
        targetSec: 30,
        action: 'CALL',
        callee: 'DUTY_PHONE',
        mandatory: true,
      }),
      step('OPERATOR', ['播放警笛，提示师生留在室内', 'Sound the siren; pupils stay inside'], {
        targetSec: 45,
        action: 'SIREN',
      }),
      step(
        'GUARD',
        ['持防护器械到场，保持距离，等待民警', 'Go there with protective gear, keep distance, wait for police'],
        {
          targetSec: 120,
        },
      ),
      step('TEACHER', ['清点学生，报告是否缺人', 'Count the pupils and report who is missing'], {
        targetSec: 600,
        mandatory: true,
      }),
      step('POLICE', ['控制闯入人员并移交', 'Take the intruder into custody'], { targetSec: 900 }),
    ],
  ),
  plan(
    'MEDICAL',
    ['医疗救护处置预案', 'Medical emergency'],
    [
      step('OPERATOR', ['拨打 120，说清地址和进哪个门', 'Call 120: address and which gate'], {
        targetSec: 30,
        action: 'CALL',
        callee: 'AMBULANCE',
        mandatory: true,
      }),
      step('OPERATOR', ['派校医和最近的保安，带上 AED', 'Send the school nurse and the nearest guard with the AED'], {
        targetSec: 45,
        action: 'MESSAGE',
        mandatory: true,
      }),
      step('GUARD', ['在校门接救护车并带路', 'Meet the ambulance at the gate and lead the way'], { targetSec: 300 }),
      step('TEACHER', ['疏散围观学生，保护隐私', 'Move other pupils away and protect privacy'], { targetSec: 180 }),
      step('SAFETY_OFFICER', ['通知家长和学校负责人', 'Inform the parents and the head of the school'], {
        targetSec: 600,
        action: 'CALL',
        callee: 'PRINCIPAL',
      }),
    ],
  ),
  plan(
    'FIRE',
    ['火灾处置预案', 'Fire'],
    [
      step('OPERATOR', ['拨打 119，说清楼栋和楼层', 'Call 119: building and floor'], {
        targetSec: 30,
        action: 'CALL',
        callee: 'FIRE_BRIGADE',
        mandatory: true,
      }),
      step('OPERATOR', ['鸣警笛，启动疏散广播', 'Sound the siren and start the evacuation message'], {
        targetSec: 30,
        action: 'SIREN',
      }),
      step('TEACHER', ['按疏散路线带学生到集合点', 'Lead the pupils along the escape route to the assembly point'], {
        targetSec: 180,
        mandatory: true,
      }),
      step('TEACHER', ['在集合点清点人数并上报', 'Count everybody at the assembly point and report'], {
        targetSec: 300,
        mandatory: true,
      }),
      step('GUARD', ['打开消防通道，引导消防车', 'Open the fire lane and guide the fire engines'], { targetSec: 300 }),
      step('LEAD', ['确认安全后宣布返回', 'Declare the building safe before anybody goes back'], { targetSec: 3600 }),
    ],
  ),
  plan(
    'DEVICE_HEALTH',
    ['设备异常处置预案', 'Device fault'],
    [
      step('OPERATOR', ['查看设备最近的消息和自检结果', 'Look at the last messages and the self-test of the device'], {
        targetSec: 600,
      }),
      step(
        'OPERATOR',
        ['通知学校：该位置暂时用电话报警', 'Tell the school to use the telephone at this place meanwhile'],
        {
          targetSec: 1800,
          action: 'CALL',
          callee: 'DUTY_PHONE',
        },
      ),
      step('MAINTAINER', ['开维修工单并约定时间', 'Open a maintenance order and agree on a time'], { targetSec: 3600 }),
    ],
  ),
  plan(
    'SECURITY_DUTY',
    ['缺岗处置预案', 'Guard absent'],
    [
      step('OPERATOR', ['电话联系当班保安', 'Call the guard on duty'], {
        targetSec: 120,
        action: 'CALL',
        callee: 'DUTY_PHONE',
      }),
      step('SAFETY_OFFICER', ['安排替班人员到岗', 'Send a stand-in to the post'], { targetSec: 900 }),
      step('SAFETY_OFFICER', ['记录缺岗原因', 'Record why the post was empty'], { targetSec: 3600 }),
    ],
  ),
]

import {
  type RuleVerdictRow,
  ruleTrials,
  RuleVerdictRow as Row,
  SimulatedSignal,
} from '@tocsin/contract/alarm/rule-trial'
import { Alert, Flex, Form, InputNumber, Select, Table } from 'antd'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { InstalledDeviceSelect } from '#areas/device/maintenance/InstalledDeviceSelect.tsx'
import { enumLabel, enumOptions, enumValues } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { column, tableColumn } from '#ui/column.tsx'
import { LocalName } from '#ui/cell/LocalName.tsx'
import { Field } from '#ui/Field.tsx'

const columns = [
  column(Row, 'priority', { width: 80, figure: true }),
  column(Row, 'name', { show: (_, row) => <LocalName of={row} /> }),
  column(Row, 'level', { width: 90, tag: 'level' }),
  column(Row, 'class', { width: 110, word: 'warnClass' }),
  column(Row, 'finding', { width: 240, word: 'ruleFinding' }),
]

const outcomeTexts = {
  RULE: 'ruleTrial.raises',
  FALLBACK: 'ruleTrial.byDefault',
  NONE: 'ruleTrial.raisesNone',
} as const

/** One signal through all rules, with the reason of each; nothing is stored. */
export const SimulateDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm<SimulatedSignal>()
  const { mutate, data, isPending } = useApiMutation(ruleTrials.simulate)
  return (
    <AppModal
      title={t('ruleTrial.simulate')}
      width={860}
      okText={t('ruleTrial.run')}
      confirmLoading={isPending}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form form={form} layout="vertical" initialValues={{ count: 1 }} onFinish={(body) => mutate({ body })}>
        <Field of={SimulatedSignal} name="deviceId">
          <InstalledDeviceSelect />
        </Field>
        <Field of={SimulatedSignal} name="code">
          <Select options={enumOptions('alarmCode', enumValues('alarmCode'), lang)} placeholder={t('list.choose')} />
        </Field>
        <Flex gap="middle">
          <Field of={SimulatedSignal} name="count">
            <InputNumber min={1} max={100} precision={0} />
          </Field>
          <Field of={SimulatedSignal} name="confidence">
            <InputNumber min={0} max={1} step={0.05} />
          </Field>
          <Field of={SimulatedSignal} name="db">
            <InputNumber min={0} max={200} />
          </Field>
        </Flex>
      </Form>
      {data && (
        <Flex vertical gap="small">
          <Alert
            type={data.outcome === 'NONE' ? 'warning' : 'success'}
            showIcon
            title={t(outcomeTexts[data.outcome], {
              level: data.level === null ? '' : enumLabel('level', data.level, lang),
              class: data.class === null ? '' : enumLabel('warnClass', data.class, lang),
            })}
          />
          <Table<RuleVerdictRow>
            size="small"
            rowKey="ruleId"
            dataSource={data.rules.toSorted(
              (a, b) => Number(a.finding === 'CODE') - Number(b.finding === 'CODE') || a.priority - b.priority,
            )}
            scroll={{ x: 'max-content', y: 320 }}
            pagination={false}
            columns={columns.map((column) => tableColumn<RuleVerdictRow>(column, lang))}
          />
        </Flex>
      )}
    </AppModal>
  )
}

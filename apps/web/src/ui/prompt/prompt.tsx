import { Button, Flex, Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { type DialogResult, openDialog } from '#ui/confirm.ts'

type Question = {
  title: string
  /** The label of the field. */
  label: string
  /** In the field at first. */
  initial?: string
  danger?: boolean
  /** Pattern that the input must match. */
  pattern?: RegExp
  /** True when valid; a reason of its own, or false, when not. */
  validator?: (value: string) => boolean | string
  /** Instead of SPEC 5's 输入的数据不合法!. */
  message?: string
}

/** @returns why the input is rejected, undefined when it is valid. */
export const inputProblem = (value: string, { pattern, validator, message }: Question, usual: string) => {
  const why = message ?? usual
  // A pattern with the flag g would continue where it stopped the last time.
  if (pattern && !new RegExp(pattern.source, pattern.flags.replace('g', '')).test(value)) return why
  const found = validator?.(value) ?? true
  if (found === true) return undefined
  return found === false ? why : found
}

const Asking = ({ asked, onAnswer }: { asked: Question; onAnswer: (answer: DialogResult) => void }) => {
  const { t } = useTranslation()
  const check = (value: string | undefined) => {
    const why = inputProblem(value ?? '', asked, t('list.badInput'))
    return why === undefined ? Promise.resolve() : Promise.reject(new Error(why))
  }
  return (
    <Form<{ value?: string }>
      layout="vertical"
      requiredMark={false}
      initialValues={{ value: asked.initial ?? '' }}
      onFinish={({ value = '' }) => onAnswer({ result: 'confirm', value })}
    >
      <Form.Item
        name="value"
        label={asked.label}
        validateTrigger="onSubmit"
        rules={[{ validator: (_rule, value: string | undefined) => check(value) }]}
      >
        <Input autoFocus autoComplete="off" />
      </Form.Item>
      <Flex justify="end" gap="small">
        <Button onClick={() => onAnswer({ result: 'cancel' })}>{t('list.cancel')}</Button>
        <Button type="primary" htmlType="submit" danger={asked.danger ?? false}>
          {t('list.confirm')}
        </Button>
      </Flex>
    </Form>
  )
}

/** Asks for one line of text, which is returned only when valid. */
export const prompt = (question: Question): Promise<DialogResult> =>
  openDialog({ title: question.title }, (end) => <Asking asked={question} onAnswer={end} />)

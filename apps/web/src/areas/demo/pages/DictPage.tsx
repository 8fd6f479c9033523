import { Card, Descriptions, Flex, Form, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DictCheckboxes, DictRadio } from '#ui/dict/DictCheckboxes.tsx'
import { DictSelect } from '#ui/dict/DictSelect.tsx'
import { DictTag } from '#ui/dict/DictTag.tsx'
import '../demo.css'

const GENDER = 'system_user_sex'

/** The value as code, texts in quotes. */
const Echo = ({ value }: { value: unknown }) => <Typography.Text code>{JSON.stringify(value ?? null)}</Typography.Text>

const Choices = () => {
  const { t } = useTranslation()
  const [text, setText] = useState<string>('1')
  const [number, setNumber] = useState<number>(2)
  const [several, setSeveral] = useState<string[]>(['1', '2'])
  return (
    <Form layout="vertical" className="demo-narrow">
      <Form.Item label={t('demo.dictText')} htmlFor="dict-text" extra={<Echo value={text} />}>
        <DictSelect id="dict-text" type={GENDER} value={text} onChange={setText} />
      </Form.Item>
      <Form.Item label={t('demo.dictNumber')} htmlFor="dict-number" extra={<Echo value={number} />}>
        <DictSelect
          id="dict-number"
          type={GENDER}
          value={String(number)}
          onChange={(value) => setNumber(Number(value))}
        />
      </Form.Item>
      <Form.Item label={t('demo.dictRadio')} extra={<Echo value={text} />}>
        <DictRadio
          type={GENDER}
          aria-label={t('demo.dictRadio')}
          value={text}
          onChange={({ target }) => setText(String(target.value))}
        />
      </Form.Item>
      <Form.Item label={t('demo.dictCheck')} extra={<Echo value={several} />}>
        <DictCheckboxes type={GENDER} aria-label={t('demo.dictCheck')} value={several} onChange={setSeveral} />
      </Form.Item>
      <Descriptions
        size="small"
        column={1}
        items={[
          { key: 'one', label: t('demo.dictOne'), children: <DictTag type={GENDER} value={number} /> },
          { key: 'list', label: t('demo.dictList'), children: <DictTag type={GENDER} value={several.join(',')} /> },
          { key: 'unknown', label: t('demo.dictUnknown'), children: <DictTag type={GENDER} value="9" /> },
        ]}
      />
    </Form>
  )
}

/** Options and labels from a dictionary; an edit of it appears here without a reload. */
export const DictPage = () => {
  const { t } = useTranslation()
  return (
    <Flex vertical gap="middle">
      <Typography.Paragraph type="secondary">{t('demo.dictHelp')}</Typography.Paragraph>
      <Card size="small" title={t('demo.dictTitle')}>
        <Choices />
      </Card>
    </Flex>
  )
}

import { Card, Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import '../demo.css'

const Level = ({ level }: { level: number }) => {
  const { t } = useTranslation()
  return (
    <Card size="small" title={t('demo.level', { n: level })}>
      <Form layout="vertical" className="demo-narrow">
        <Form.Item label={t('demo.levelInput')} htmlFor={`level-${level}`} extra={t('demo.levelHelp')}>
          <Input id={`level-${level}`} maxLength={100} />
        </Form.Item>
      </Form>
    </Card>
  )
}

export const LevelOne = () => <Level level={1} />
export const LevelTwo = () => <Level level={2} />
export const LevelThree = () => <Level level={3} />

import { Alert } from 'antd'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import './edit-conflict.css'

type Props = {
  /** The message; a new one scrolls into view. */
  told: object
  children: ReactNode
}

/** Above a form: another user changed its row. The user who pressed the button below may have scrolled far away. */
export const ConflictAlert = ({ told, children }: Props) => {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [told])
  return (
    <div ref={box} className="meanwhile" tabIndex={-1}>
      <Alert type="warning" showIcon title={t('list.staleTitle')} description={children} />
    </div>
  )
}

import { Typography } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import './workflow.css'

type WorkflowPageProps = {
  /** Number or name of the subject. */
  title: ReactNode
  /** State tags beside the title. */
  tags?: ReactNode
  /** The next limit, as a `DueClock`. */
  clock?: ReactNode
  /** Where it is or to whom it belongs, one line. */
  subtitle?: ReactNode
  /** What can be done now: `VerbButtons`. */
  actions?: ReactNode
  /** The timeline at the side; below the facts on a narrow screen. */
  timeline?: ReactNode
  children: ReactNode
}

/** The page of an entity with states: a sticky title row, facts and tabs, the timeline beside them. */
export const WorkflowPage = ({ title, tags, clock, subtitle, actions, timeline, children }: WorkflowPageProps) => {
  const { t } = useTranslation()
  return (
    <div className="workflow">
      <header className="workflow-head">
        <div className="workflow-title">
          <Typography.Title level={4} style={{ margin: 0 }}>
            {title}
          </Typography.Title>
          {tags}
          {clock}
          {subtitle !== undefined && <span className="workflow-subtitle">{subtitle}</span>}
        </div>
        {actions}
      </header>
      <div className="workflow-body" data-timeline={timeline !== undefined}>
        <div className="workflow-main">{children}</div>
        {timeline !== undefined && (
          <aside className="workflow-side" aria-label={t('workflow.timeline')}>
            <Typography.Title level={5}>{t('workflow.timeline')}</Typography.Title>
            {timeline}
          </aside>
        )}
      </div>
    </div>
  )
}
